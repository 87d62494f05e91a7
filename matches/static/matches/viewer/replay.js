// A replay as the viewer uses it. Turn 0 is the first frame; turn n is the position after the n-th turn was played.

const FORMAT = 1;

/** A replay that this viewer cannot show; `word` names the sentence for the reader. */
export class ReplayError extends Error {
  constructor(word, values = {}) {
    super(word);
    this.word = word;
    this.values = values;
  }
}

/** Fetch the records of a replay and read them, see `readReplay`. */
export async function fetchReplay(url, tell) {
  let response;
  try {
    response = await fetch(url, { headers: { Accept: "application/json" } });
  } catch {
    throw new ReplayError("connection");
  }
  const answer = await response.json().catch(() => null);
  // A refusal of the site has a reason; what has none is a proxy's word while the site is away, or half an answer.
  if (answer?.error) throw new ReplayError("refused", { reason: answer.error });
  if (!response.ok || !answer) throw new ReplayError("connection");
  return readReplay(answer, { tell });
}

/**
 * Read the records (header, one a turn, footer; of a live match, those there are).
 *
 * @param {{live?: boolean, tell?: (text: string) => string}} how live: more records may come; tell: puts an event's
 *   English sentence into the reader's language
 * @returns {{game, rules, seats, setting, frames, turns, events, footer, live}} frames[n] and turns[n] are turn n's (turns[0]
 *   is null); events are all events, each with the turn it belongs to; live: more records may come.
 */
export function readReplay([header, ...rest], { live = false, tell = (text) => text } = {}) {
  if (header?.format !== FORMAT) throw new ReplayError("unknown_format", { format: header?.format ?? "?" });
  const { game, rules, seats, setting } = header;
  const replay = { game, rules, seats, setting, frames: [header.frame], turns: [null], events: [], footer: null, live, tell };
  growReplay(replay, rest);
  return replay;
}

/** Add the records that follow. */
export function growReplay(replay, records) {
  for (const record of records) {
    if (record.ranks) replay.footer = record;
    else {
      const turn = replay.turns.length;
      replay.events.push(...record.events.map((event) => ({ ...event, text: replay.tell(event.text), turn })));
      replay.frames.push(record.frame);
      replay.turns.push(record);
    }
  }
}

/** The fault of a seat up to a turn as {turn, text}, or undefined. */
export function faultUntil(replay, seat, turn) {
  return replay.events.find((event) => event.kind === "fault" && event.seat === seat && event.turn <= turn);
}
