# What all games share: sentences of the sandbox, of builds, of workers and of the arena. One message is one sentence, or
# two; its values are described where the code makes the message.


## The sandbox: faults of a program

bot-forbidden-call = It was killed for a forbidden system call.
bot-killed = It was killed by signal { $signal }.
bot-exited = It ended with exit code { $code } before it had answered.
bot-exited-half = It ended with exit code { $code }. { $why }
bot-half-line = The last line of its answer does not end with a line break.
bot-few-lines = Its answer has fewer lines than were asked for.
bot-memory = It was killed at its memory limit of { $limit } MiB.
# $what: turn, start or step (of a build).
bot-cpu = It used { $used } ms of CPU time; the limit for { $what ->
    [start] its start
    [step] this step
   *[turn] this turn
} is { $limit } ms.
bot-cpu-bank = It used { $used } ms of CPU time; the limit for { $what ->
    [start] its start
    [step] this step
   *[turn] this turn
} is { $limit } ms, and its bank of overrun held { $bank } ms.
# $lacks: what its answer lacks: all of it, the line-break of its last line, or lines.
bot-slow = It did not finish { $what ->
    [start] its start
    [step] this step
   *[turn] this turn
} within { $limit } ms though it used only { $used } ms of CPU time: { $lacks ->
    [line-break] the last line of its answer does not end with a line break.
    [lines] its answer has fewer lines than were asked for.
   *[all] it waited for something.
}
bot-rested = It waited for something for more than { $limit } ms in all its turns; compute, or answer at once.
bot-closed-output = It closed its standard output and lived on.
bot-early-output = It wrote to its standard output before it was asked.
bot-late-output = It had written more than its answer when it was asked again.
bot-no-utf8 = Its answer is not text in UTF-8.
bot-nul = Its answer is not text: it holds a NUL character.
bot-long-output = It wrote more than { $limit } bytes without completing its answer.
machine-overloaded = This machine is overloaded: a program that was ready to run got { $used } ms of CPU time in { $limit } ms.
machine-short-of-memory = This machine is short of memory: its kernel killed a program that held no more than { $held } of its { $limit } MiB.


## Builds

build-fault = The build: { $why }
build-rested = It waited for something for more than { $limit } ms without computing. A build must neither sleep nor wait for input.
build-check-fault = In turn { $turn } of the check match: { $why }
build-check-rules = In turn { $turn } of the check match: { $why } The game is played here by the rules { $ruleset }, not by { $others }: compare what your program reads and writes with the game's page.
build-step-output = The step wrote more than it may leave.
build-step-left = What the step left cannot be taken: { $why }
build-left-link = The build has made { $name }, which is a link or no regular file. Leave only what your program needs.
build-left-files = The build has made more than { $most } files. Leave only what your program needs.
build-left-size = The build has made more than { $most } MiB. Leave only what your program needs.
build-no-program = No program was found in the upload, which holds { $holds }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}. Looked for a file of such a name, or else the only one with a main function or such an ending, at the top and then in all folders. { $wanted }.
build-nothing = No program was found: the upload holds no file. Looked for a file of such a name, or else the only one with a main function or such an ending, at the top and then in all folders. { $wanted }.
build-two-programs = Each of these files could be the program: { $names }. Leave one of them, or tell the language.
build-two-mains = Each of these files could be the program, since each has a main function: { $names }. Let only the one that plays be named { $entry }.
build-unknown-language = The language { $name } is not known here. Known are: { $known }.
build-older-language = The program is written in { $older }, and this is { $language }.
build-newer-language = The program is written in a newer language than { $version }, which we have: it uses { $features }.
build-newer-statements = The program has no Main function. If its statements stand outside of all classes, it is written in a newer language than { $version }, which we have: put them into a function static void Main().
build-no-crate = The program names { $names }, which is neither a module of its own nor a crate that is here. Programs in Rust may use the crates { $crates }, and no others.
build-invalid = The program is no valid { $language }.
build-language-not-allowed = Your bot is written in { $language }. This contest takes bots in: { $allowed }.
build-no-language = This arena has no { $language }.
build-defined-twice = All sources beside { $entry } make one program with it, and these may define the same once more: { $names }. Leave backups out of the upload.
build-compiler-stack = The compiler's stack is full ({ $size } MiB unless it takes more): the program nests something too deeply.
build-compiler-file = The compiler would write a file larger than the { $size } MiB that it may.

tar-damaged = The tar is damaged.
tar-strange = The tar is packed in a strange way.
tar-link = The tar holds { $name }, which is no regular file or folder.
tar-entries = The tar holds more than { $most } files and folders.
tar-size = The tar holds more than { $most } MiB.
tar-long-name = The tar holds { $name }…, which is longer than { $most } bytes.
tar-outside = The tar holds { $name }, which leads out of its folder.
tar-twice = The tar holds { $name } as a file and as a folder.


## Versions of bots

version-platform-failed = Our platform failed { $times } times; it is not your bot's fault. The last time: { $why }
version-built-missing = What the build made is missing from the store.
version-check-missing = The replay of the check match is missing from the store.
version-withdrawn = An administrator has withdrawn this version.
version-withdrawn-why = An administrator has withdrawn this version. Why: { $why }
version-disqualified-why = An organiser of the contest has disqualified this version. Why: { $why }
version-rebuilt-distrusted = The worker that built this version is not trusted any more; it was built again as v{ $number }.
version-rebuilt-lost = What was built of this version is missing from the store; it was built again as v{ $number }.
version-newer-first = A newer version was ready first, so this one does not play.
version-game-frozen = The game was frozen before this version was ready, so it does not play.


## Workers, and what they report

worker-failed = The worker failed ({ $error }); its log says more.
worker-killed = The process that worked on it was killed; the worker's log says more.
worker-silent = The worker gave no sign of life any more.
worker-quarantined = Its worker is in quarantine.
worker-distrusted = The worker that played it is not trusted any more: { $why }
worker-overloaded = This machine is overloaded: a bot waited for a core for { $waited } ms in turn { $turn }, while other programs ran.
worker-no-language = This worker has no { $language }: install { $packages }.
worker-game-failed = The rules of { $game } (package { $package }) failed: { $error }. No bot is to blame. Pause the game, and tell its authors.
worker-no-game = This worker does not know the game { $game }: update it, or install the game's package.
worker-other-rules = This worker plays version { $here } of the rules of { $game }, the match needs { $wanted }: bring the worker and the site to the same release, and the game's package to the same version.
worker-no-memory = The bots of a match may use { $needed } MiB, and this worker has { $free } MiB free of { $total }, of which other matches may use { $reserved }: give it more memory, let it play fewer matches at once, or lower the limit of the game.
report-late = It reported after its lease had been taken back.
report-seats = The worker reported another number of seats than the match has.
report-ranks = The worker reported ranks that cannot be.
report-verdict = The worker reported a fault that there is not.
report-score = The worker reported a score that is no number.
report-no-replay = The worker reported no replay.
report-replay-missing = The replay of the match is missing from the store.
report-replay-broken = What the worker stored as the replay is none.
report-other-replay = The worker stored the replay of another match.
report-other-result = The worker stored a replay that tells another result than its report.


## Matches that do not count, and private tests that ended

remote-slow = They did not answer within { $seconds } s.
remote-idle = They did not answer for { $seconds } s, while others waited for a table.
remote-left = They left the table.
table-lost = The table was lost: { $why } Please open another one.
table-left = The player closed the table before it began.
table-deserted = All players have left the table.
match-platform-failed = Our platform failed { $times } times, so this match does not count. The last time: { $why }
match-rules-changed = The rules of its game have changed.
match-trial-ended = The private test it was played for has ended.
match-final-by = The final board had to be signed before a worker could play this match.
match-voided = An administrator took this match out.
match-replaced = An administrator had this match played again.
trial-owner-left = The account of its owner is closed.
trial-platform-failed = Our platform failed to play too many matches; please start it again later.
trial-game-frozen = Its game was frozen: its contest is over.
trial-stopped = You stopped it.

## The runner at home: faults of a program

bot-home-time = The answer took { $used } ms; { $limit } are allowed, and its bank of overrun held { $bank }.
bot-home-late =
    { $lacks ->
       *[all] No whole answer came in time.
        [line-break] No whole answer came in time: its last line does not end with a line break.
    }


## The referee: who is out, and how the match ended; $bot is the name of the bot

fault = { $bot } is out of the match. { $why }
out = { $bot } is out of the match: { $why }.
nothing-helps = no answer could help any more
won = { $bot } wins: { $why }.
drawn =
    { $count ->
        [2] { $first } and { $second } share the first place
        [3] { $first }, { $second } and { $third } share the first place
       *[4] { $first }, { $second }, { $third } and { $fourth } share the first place
    }: { $why }.
more-points = { $points ->
        [one] { $points } point
       *[other] { $points } points
    } to { $other } by { $second }
equal-points = { $points ->
        [one] { $points } point
       *[other] { $points } points
    } each
tie-broken = { $points ->
        [one] { $points } point
       *[other] { $points } points
    } each, and the better place by the rules for ties
others-out =
    { $count ->
        [one] { $other } is out of the match
       *[other] all others are out of the match
    }
out-last = all others were out of the match earlier
all-out = all bots were out of the match at once
forgiven =
    { $count ->
        [one] 1 answer was not understood, or not allowed: in turn { $turn }, { $answer }.
       *[other] { $count } answers were not understood, or not allowed; the first, in turn { $turn }: { $answer }.
    }


## Answers that no game accepts

one-line =
    { $count ->
        [one] { $count } line was answered, but one is expected.
       *[other] { $count } lines were answered, but one is expected.
    }
fewer-lines = The answer has fewer lines than the { $count } asked for.
more-lines = The answer has more lines than the { $count } asked for.
wrong-lines = The answer has not the { $count } lines asked for.
no-legal-answer = { $answer } is no legal answer.
not-understood = { $answer } cannot be understood.
answer-too-long = The answer is longer than { $most } characters.
