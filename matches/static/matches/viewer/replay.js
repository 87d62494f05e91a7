// A replay as the viewer uses it. Turn 0 is the first frame; turn n is the position after the n-th turn.

const FORMAT = 2;

/** This viewer cannot show a replay; `word` is the key of the sentence that says why (`page.words`). */
export class ReplayError extends Error {
  constructor(word, values = {}) {
    super(word);
    this.word = word;
    this.values = values;
  }
}

/** Fetch the records of a replay and read them, see `readReplay`. */
export async function fetchReplay(url, options) {
  let response;
  try {
    response = await fetch(url, { headers: { Accept: "application/json" } });
  } catch {
    throw new ReplayError("connection");
  }
  const answer = await response.json().catch(() => null);
  // The site's refusals have a reason; an answer without one is a proxy's while the site is away, or half an answer.
  if (answer?.error) throw new ReplayError("refused", { reason: answer.error });
  if (!response.ok || !answer) throw new ReplayError("connection");
  return readReplay(answer, options);
}

/**
 * Read the records: header, one for each turn, footer; for a live match those that have come so far.
 *
 * @param {{messages: Messages, letters: string, live?: boolean}} options messages: makes the sentences; letters: of all
 *   seats that the game may have; live: more records may come
 * @returns {{game, rules, seats, letters, setting, frames, turns, events, footer, live, say}} frames[n] and turns[n] are
 *   turn n's (turns[0] is null); events are all events, each with the turn it belongs to and its sentence as `text`;
 *   say: makes the sentence of a message
 */
export function readReplay([header, ...rest], { messages, letters, live = false }) {
  if (header?.format !== FORMAT) throw new ReplayError("unknown_format", { format: header?.format ?? "?" });
  const { game, rules, seats, setting } = header;
  const names = seats.map((_, seat) => nameOf(seat, seats, letters));
  const replay = {
    game, rules, seats, setting, live, letters: letters.slice(0, seats.length), frames: [header.frame], turns: [null],
    events: [], footer: null, say: (message) => messages.sentence(message, names),
  };
  growReplay(replay, rest);
  return replay;
}

/** Return how sentences call a bot: among bots of one name by its version, among equal ones by the seat's letter. */
function nameOf(seat, seats, letters) {
  const { name, version } = seats[seat];
  const same = seats.filter((other) => other.name === name);
  if (same.length === 1) return name;
  const equal = same.filter((other) => other.version === version);
  return equal.length === 1 ? `${name} v${version}` : `${name} (${letters[seat]})`;
}

/** Add the records that follow. */
export function growReplay(replay, records) {
  for (const record of records) {
    if (record.ranks) replay.footer = record;
    else {
      const turn = replay.turns.length;
      replay.events.push(...record.events.map((event) => ({ ...event, text: replay.say(event), turn })));
      replay.frames.push(record.frame);
      replay.turns.push(record);
    }
  }
}

/** Return the event of a seat's fault up to a turn, or undefined. */
export function faultUntil(replay, seat, turn) {
  return replay.events.find((event) => event.kind === "fault" && event.seat === seat && event.turn <= turn);
}
