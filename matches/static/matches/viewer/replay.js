// A replay as the viewer uses it. Turn 0 is the first frame; turn n is the position after the n-th turn was played.

export const FORMAT = 1;

/** A replay that this viewer cannot show; `word` names the sentence for the reader. */
export class ReplayError extends Error {
  constructor(word, values = {}) {
    super(word);
    this.word = word;
    this.values = values;
  }
}

/** Fetch the records of a replay and read them. */
export async function fetchReplay(url) {
  let response;
  try {
    response = await fetch(url, { headers: { Accept: "application/json" } });
  } catch {
    throw new ReplayError("connection");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ReplayError("refused", { reason: answer.error ?? response.statusText });
  return readReplay(answer);
}

/**
 * Read the records (header, one a turn, footer).
 *
 * @returns {{game, seats, setting, frames, turns, events, footer}} frames[n] and turns[n] are turn n's (turns[0] is
 *   null); events are all events, each with the turn it belongs to.
 */
export function readReplay(records) {
  const [header, ...rest] = records;
  if (header?.format !== FORMAT) throw new ReplayError("unknown_format", { format: header?.format ?? "?" });
  const footer = rest.at(-1)?.ranks ? rest.pop() : null;
  return {
    game: header.game,
    seats: header.seats,
    setting: header.setting,
    frames: [header.frame, ...rest.map((record) => record.frame)],
    turns: [null, ...rest],
    events: rest.flatMap((record, i) => record.events.map((event) => ({ ...event, turn: i + 1 }))),
    footer,
  };
}

/** The fault of a seat up to a turn, or null. */
export function faultUntil(replay, seat, turn) {
  const fault = replay.footer?.faults[seat];
  return fault && fault.turn <= turn ? fault : null;
}
