// Short tones, made by oscillators: nothing is loaded for them.

const VOLUME = 0.12;

export class Tones {
  /**
   * Let a tone sound that fades.
   *
   * @param {{from: number, to?: number, seconds: number, after?: number, type?: OscillatorType, volume?: number}} tone
   *   from, to: frequencies in hertz; after: seconds until it begins; volume: 0..1
   */
  play({ from, to = from, seconds, after = 0, type = "triangle", volume = 1 }) {
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume(); // browsers wait for the first key or tap
    const start = this.context.currentTime + after;
    const source = this.context.createOscillator();
    const level = this.context.createGain();
    source.type = type;
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + seconds);
    level.gain.setValueAtTime(VOLUME * volume, start);
    level.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    source.connect(level).connect(this.context.destination);
    source.start(start);
    source.stop(start + seconds);
  }
}
