"""Which attacks are known, and what covers each: hostile programs (``programs/``), builds, or tests by their names."""

from __future__ import annotations

AGAINST_THE_SANDBOX = {
    "memory": ("memory_hog", "memory_children", "memory_children_quietly"),
    "fork bomb, thread bomb": ("fork_bomb", "thread_bomb", "process_limit"),
    "TCP, UDP, DNS, vsock": ("network",),
    "abstract sockets of the host, sockets in its files": ("network", "sockets_of_the_host"),
    "writing outside of /tmp": ("write_outside", "big_file"),
    "filling /tmp, bytes and inodes": ("fill_tmp", "fill_tmp_with_names", "fill_shm"),
    "reading other bots' files": ("test_read_another_bot",),
    "meeting a bot of the same owner": ("meet_a_friend", "test_two_bots_do_not_meet"),
    "the worker's environment, host paths, kernel logs": ("read_the_host",),
    "/proc of others, signals to others": ("other_processes", "kill_everybody"),
    "ptrace, mount, unshare, keyctl, userfaultfd and their like": ("forbidden_call", "forbidden_calls"),
    "io_uring, clone3, shared memory": ("absent_calls", "new_namespaces"),
    "other doors to the kernel": ("old_system_calls", "x32_system_calls"),
    "more rights": ("more_rights",),
    "file descriptors": ("descriptors", "test_descriptors_do_not_leak"),
    "standard output flooded": ("stdout_flood", "endless_line", "slow_endless_line"),
    "standard error flooded": ("stderr_flood", "stderr_flood_then_answer", "stderr_flood_at_start"),
    "output without newline": ("no_newline",),
    "binary garbage, output before being asked": ("binary_garbage", "before_asked"),
    "closing streams and living on": ("closed_stdout", "closed_everything"),
    "ignoring SIGTERM, stopping itself": ("ignore_signals", "stop_itself"),
    "a daemon that outlives its parent": ("daemon", "daemon_holds_stdout"),
    "background work in the opponent's turn": ("think_in_their_time",),
    "sleeping for ever": ("sleep_for_ever",),
    "pretending that the machine is too busy": (
        "pretend_a_busy_machine",
        "test_a_bot_that_starves_itself_is_out_of_time",
    ),
    "leftovers for the next match": (
        "leave_something",
        "find_something",
        "test_hostile_matches_leave_nothing_behind",
        "test_hostile_matches_of_killed_players_leave_nothing_behind",
    ),
    "forging the end of a program": ("forge_the_end",),
    "a build that never ends": ("never_ends", "sleeps_for_ever", "floods_its_log"),
    "a build that writes a huge output": ("makes_a_giant", "makes_many_giants", "makes_many_files"),
    "a build that forks, eats memory, leaves a daemon": ("forks", "eats_memory", "leaves_a_daemon"),
    "a build that reads secrets, tries the network": ("reads_secrets", "tries_the_network"),
    "a build that breaks out": ("leads_outside", "wants_more_rights", "calls_what_is_forbidden"),
    "a build that leaves links, devices, FIFOs": (
        "leaves_a_link",
        "leaves_a_linked_folder",
        "leaves_a_link_as_program",
        "leaves_a_device",
        "leaves_a_fifo",
        "test_a_run_may_leave_regular_files_only",
    ),
}
"""What a bot or a build may try."""

BY_UPLOADS = {
    "names that lead out, absolute names, drive letters, backslashes, NUL, control characters": (
        "test_names_that_lead_elsewhere_are_refused",
        "test_a_name_with_nul_is_refused_not_cut",
        "test_folder_names_are_checked_as_well",
        "test_the_name_of_a_single_file_is_checked_too",
    ),
    "symbolic links, devices, FIFOs": ("test_links_and_devices_are_refused",),
    "bombs: ratio, nested, overlapping, wrong sizes": (
        "test_a_high_ratio_is_refused",
        "test_a_nested_archive_stays_a_file",
        "test_entries_that_share_their_bytes_are_refused",
        "test_an_entry_that_reaches_into_the_directory_is_refused",
        "test_a_wrong_declared_size_is_refused",
        "test_a_liar_is_not_inflated_beyond_what_it_declares",
        "test_too_large_together_is_refused",
    ),
    "many files": ("test_more_entries_than_allowed_are_refused",),
    "one name twice": ("test_names_that_are_one_on_some_system_are_refused",),
    "encrypted, exotic compression": ("test_encrypted_archives_are_refused", "test_exotic_compression_is_refused"),
    "many uploads": (
        "test_space_is_limited",
        "test_versions_an_hour_are_limited",
        "test_active_bots_are_limited_but_not_their_next_versions",
        "test_uploads_are_slowed_down",
        "test_a_file_over_the_limit_is_refused",
    ),
    "served back as HTML or SVG": ("test_a_file_is_no_page_of_ours", "test_every_answer_carries_the_rules"),
    "build scripts": ("test_build_attack",),
    "outputs of a build": ("test_build_attack", "test_a_build_that_leaves_a_trap_is_refused"),
    "standard error with escapes or markup, seen by its owner alone": (
        "test_invisible_signs_are_written_out",
        "test_everybody_sees_the_verdict_and_only_the_owner_the_evidence",
        "test_the_turns_are_seen_by_their_owner_alone",
    ),
    "text of a bot shown to others": (
        "test_hostile_names_are_escaped",
        "test_hostile_file_names_are_shown_escaped",
        "test_markup_in_names_and_messages_is_shown_as_text",
        "test_no_page_needs_what_the_policy_forbids",
    ),
    "any bytes at all": (
        "test_any_archive_is_a_bundle_or_a_sentence",
        "test_any_bytes_are_a_bundle_or_a_sentence",
        "test_no_mutilated_archive_brings_it_down",
    ),
}
"""What an uploaded archive may try."""
