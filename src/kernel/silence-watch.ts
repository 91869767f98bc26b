import type { Probe } from './probe.ts'

/** So many calls wait for so long, and none is answered: the upstream stalls. */
export type Silence = { readonly calls: number; readonly ms: number }

type SilenceRules = {
  readonly silence: Silence
  /** Asked before silence counts; null: silence is enough. */
  readonly probe: Probe | null
  readonly now: () => number
  readonly onSilence: () => void
}

/** While slow calls wait, the time between two probes doubles up to this. */
const maxSilenceMs = 20_000
/** The shortest time until the next check for silence, for example while a probe is under way. */
const minWatchMs = 250

/** Finds out that an upstream stalls. A class with plain numbers, because every request that is passed through uses one. */
export class SilenceWatch {
  private readonly calls: { readonly waiting: number; readonly isOpen: boolean }
  private readonly rules: SilenceRules
  /** Since when `silence.calls` calls have been waiting without an answer. */
  private silentSince = 0
  /** How long they may wait from then on. */
  private silenceMs: number
  /** Checks for silence also if nobody else calls. */
  private timer: NodeJS.Timeout | null = null

  /** `calls`: those of the upstream's breaker. While it is open, nothing is checked. */
  constructor(calls: { readonly waiting: number; readonly isOpen: boolean }, rules: SilenceRules) {
    this.calls = calls
    this.rules = rules
    this.silenceMs = rules.silence.ms
  }

  /** Before a call. */
  check(now: number): void {
    if (this.isSilent(now)) this.suspect()
  }

  /** After `waiting` has grown. */
  callBegan(now: number): void {
    const { calls, ms } = this.rules.silence
    if (this.calls.waiting < calls) return
    if (this.calls.waiting === calls) this.watchFrom(now, ms)
    if (this.timer === null && !this.calls.isOpen) this.checkAfter(ms)
  }

  answerCame(now: number): void {
    this.watchFrom(now, this.rules.silence.ms)
  }

  private watchFrom(now: number, ms: number): void {
    this.silentSince = now
    this.silenceMs = ms
  }

  private isSilent(now: number): boolean {
    return !this.calls.isOpen && this.calls.waiting >= this.rules.silence.calls && now - this.silentSince >= this.silenceMs
  }

  /** At most one timer at a time, and none while few calls wait. */
  private checkAfter(ms: number): void {
    this.timer = setTimeout(() => {
      // Answers that came while the event loop was blocked are read first.
      setImmediate(() => {
        this.timer = null
        const { silence, now: clock } = this.rules
        const now = clock()
        this.check(now)
        if (this.calls.isOpen || this.calls.waiting < silence.calls) return
        // Not later, because an answer makes the time short again.
        this.checkAfter(Math.min(silence.ms, Math.max(minWatchMs, this.silentSince + this.silenceMs - now)))
      })
    }, ms).unref()
  }

  /** Slow answers are no silence: the probe finds out which it is. */
  private suspect(): void {
    const { probe, now, onSilence } = this.rules
    if (probe === null) return onSilence()
    const since = this.silentSince
    probe.ask((answers) => {
      if (answers && this.silentSince === since) this.watchFrom(now(), Math.min(2 * this.silenceMs, maxSilenceMs))
      else if (!answers && !this.calls.isOpen && this.silentSince === since) onSilence()
    })
  }
}
