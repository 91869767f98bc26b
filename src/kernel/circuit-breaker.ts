import { scaled } from './deadlines.ts'
import { AppError } from './errors.ts'
import type { AccountFault } from './refusal.ts'
import { createProbe, type Probe, type ProbeCall } from './probe.ts'
import { type Silence, SilenceWatch } from './silence-watch.ts'

/** `failures`: calls in a row have failed. `silence`: several calls wait, and none has been answered for a while. */
export type PauseCause = 'failures' | 'silence'

/** Who is behind a breaker. */
export type UpstreamParty = {
  /** For metrics, `/health` and the log: `telephony`. */
  readonly party: string
  /** For people: `The telephony provider`. */
  readonly who: string
  /** The workspace whose account it is; null if all workspaces share it. */
  readonly workspaceId: string | null
}

export type BreakerRules = {
  /** Calls that fail in a row until no more are sent. Default 5. */
  readonly failuresToOpen?: number
  /** The time between two calls that test whether it works again. Default 2 s. */
  readonly openMs?: number
  /** Null: silence never counts, because its answers may take minutes. */
  readonly silence?: Silence | null
  /**
   * Asked before silence counts: rejects if the upstream gives no answer. Without it, silence is enough. While it is open because of silence, the
   * probe is asked with each test, and its answer closes it too.
   */
  readonly probe?: ProbeCall | null
  /** Default 1 s. */
  readonly probeDeadlineMs?: number
  /** Milliseconds that only grow, over 0. */
  readonly now?: () => number
}

/** For metrics. */
export type BreakerCounts = { openings: number; refused: number; retries: number }

const usualSilence: Silence = { calls: 3, ms: 2_500 }
/** A breaker without a call in this time says nothing about its upstream, whose account may no longer be in use. */
const forgottenMs = 60_000
/** One retry for ten answered calls, at most so many in store. A new upstream may have one. */
const retryShare = 0.1
const maxRetries = 5

/**
 * Stops calls to an upstream that does not work, so that they fail at once instead of at their deadline. While it is open, one call in `openMs`
 * is let through; any answer closes it. A class with plain numbers, because every request that is passed through uses one.
 */
export class CircuitBreaker {
  readonly upstream: UpstreamParty
  /** When it opened; 0 if it is closed. */
  openSince = 0
  cause: PauseCause | null = null
  /** Calls under way. */
  waiting = 0
  /** Why the upstream refuses the account, since its last good answer. It answers, so it is not paused. */
  accountFault: AccountFault | null = null
  private readonly failuresToOpen: number
  private readonly openMs: number
  private readonly now: () => number
  private readonly probe: Probe | null
  private readonly silenceWatch: SilenceWatch | null
  private readonly counts: BreakerCounts
  private readonly listeners: ((cause: PauseCause | null) => void)[] = []
  private failures = 0
  private retries = 1
  /** When the next call may test whether it works again. */
  private nextTestAt = 0
  /** Whether another test may begin at once if a call ends without a verdict, because that call may have been the test. */
  private mayTestEarly = false
  /** When the last test began. */
  private testedAt = 0
  /** The last call, also one that was refused. */
  private usedAt = 0
  /** When it last answered or failed; 0: never. */
  private verdictAt = 0
  /** Since when it works, or gets no calls; 0: it has shown nothing yet. */
  private stateSince = 0

  constructor(upstream: UpstreamParty, rules: BreakerRules = {}, counts: BreakerCounts = { openings: 0, refused: 0, retries: 0 }) {
    const {
      failuresToOpen = 5,
      openMs = 2_000,
      silence = usualSilence,
      probe = null,
      probeDeadlineMs = 1_000,
      now = () => performance.now(),
    } = rules
    this.upstream = upstream
    this.counts = counts
    this.failuresToOpen = failuresToOpen
    this.openMs = openMs
    this.now = now
    this.probe = probe && createProbe(probe, scaled(probeDeadlineMs))
    this.silenceWatch =
      silence &&
      new SilenceWatch(this, {
        silence: { ...silence, ms: scaled(silence.ms) },
        probe: this.probe,
        now,
        onSilence: () => this.open('silence'),
      })
  }

  get isOpen(): boolean {
    return this.openSince > 0
  }

  /** Why it is open, and for how long; null if it is closed, or if nobody has called for a minute. */
  get pause(): { readonly cause: PauseCause; readonly seconds: number } | null {
    const now = this.now()
    if (this.cause === null || now - this.usedAt >= forgottenMs) return null
    return { cause: this.cause, seconds: Math.round((now - this.openSince) / 1_000) }
  }

  /** What the last calls have shown, and how many milliseconds ago; null if they have shown nothing. */
  get verdict(): { readonly works: boolean; readonly agoMs: number } | null {
    if (this.verdictAt === 0 || (!this.isOpen && this.failures > 0)) return null
    return { works: !this.isOpen, agoMs: this.now() - this.verdictAt }
  }

  /** Whether it works, and for how long this has been so; null if it has shown nothing yet. */
  get state(): { readonly works: boolean; readonly seconds: number } | null {
    if (this.stateSince === 0) return null
    return { works: !this.isOpen && this.accountFault === null, seconds: Math.round((this.now() - this.stateSince) / 1_000) }
  }

  /** Whether somebody has called in this time. */
  usedWithin(ms: number): boolean {
    return this.now() - this.usedAt < ms
  }

  /** The listener is called when it opens, with the cause, and when it closes, with null. */
  onChange(listener: (cause: PauseCause | null) => void): void {
    this.listeners.push(listener)
  }

  /** Before a call; exactly one of `answered`, `failed` and `left` must follow. Throws PROVIDER_UNAVAILABLE if it is open. */
  enter(): void {
    const now = this.now()
    this.usedAt = now
    this.silenceWatch?.check(now)
    if (this.openSince > 0) this.takeTest(now)
    this.waiting += 1
    this.silenceWatch?.callBegan(now)
  }

  /** It has answered, if only with a refusal. */
  answered(): void {
    this.waiting -= 1
    if (this.retries < maxRetries) this.retries += retryShare
    this.recordAnswer()
  }

  /** The last answer was about the account: null if it was good. */
  noteAccount(fault: AccountFault | null): void {
    if (fault === this.accountFault) return
    if ((fault === null) !== (this.accountFault === null)) this.stateSince = this.now()
    this.accountFault = fault
  }

  /** It could not be reached, reported that it does not work, or gave no answer within its usual deadline. */
  failed(): void {
    this.waiting -= 1
    this.failures += 1
    this.verdictAt = this.now()
    if (this.openSince === 0 && this.failures >= this.failuresToOpen) this.open('failures')
  }

  /**
   * The call ended without a verdict, because its caller left or waited for less than the usual deadline. It may have been the test, so another
   * one may follow at once; only one, because the calls from before it opened may all leave now.
   */
  left(): void {
    this.waiting -= 1
    if (this.openSince === 0 || !this.mayTestEarly) return
    this.mayTestEarly = false
    this.nextTestAt = Math.min(this.nextTestAt, this.now())
  }

  /** Whether a call may be repeated. The retries are shared by all calls of the upstream. */
  takeRetry(): boolean {
    if (this.retries < 1) return false
    this.retries -= 1
    this.counts.retries += 1
    return true
  }

  /**
   * Makes one call. `isFailure` says which errors mean that the upstream does not work; null: no verdict. `isAnswer` says which results it has
   * given; the others are no verdict. Default: all.
   */
  async run<Answer>(
    call: () => Promise<Answer>,
    isFailure: (error: unknown) => boolean | null,
    isAnswer: (result: Answer) => boolean = () => true,
  ): Promise<Answer> {
    this.enter()
    try {
      const result = await call()
      if (isAnswer(result)) this.answered()
      else this.left()
      return result
    } catch (error) {
      const verdict = isFailure(error)
      if (verdict === null) this.left()
      else if (verdict) this.failed()
      else this.answered()
      throw error
    }
  }

  /** The error of a call that is not sent. */
  refusal(): AppError {
    const { who, party } = this.upstream
    const retryAfterSeconds = Math.max(1, Math.ceil((this.nextTestAt - this.now()) / 1_000))
    const detail = `${who} does not work at the moment, and gets no requests until it does. Try again in ${retryAfterSeconds} s`
    return new AppError('PROVIDER_UNAVAILABLE', { detail, data: { retryAfterSeconds, party } })
  }

  private takeTest(now: number): void {
    if (now < this.nextTestAt) {
      this.counts.refused += 1
      throw this.refusal()
    }
    this.mayTestEarly = now - this.testedAt >= this.openMs
    this.testedAt = now
    this.nextTestAt = now + this.openMs
    // The test itself may take minutes, if its answers usually do.
    if (this.cause !== 'silence') return
    this.probe?.ask((answers) => {
      if (answers && this.cause === 'silence') this.recordAnswer()
    })
  }

  private recordAnswer(): void {
    this.failures = 0
    this.verdictAt = this.now()
    this.silenceWatch?.answerCame(this.verdictAt)
    if (this.stateSince === 0) this.stateSince = this.verdictAt
    if (this.openSince > 0) this.close()
  }

  private open(cause: PauseCause): void {
    this.openSince = this.now()
    this.verdictAt = this.openSince
    this.stateSince = this.openSince
    this.nextTestAt = this.openSince + this.openMs
    this.mayTestEarly = false
    this.testedAt = this.openSince
    this.cause = cause
    this.counts.openings += 1
    for (const listener of this.listeners) listener(cause)
  }

  private close(): void {
    this.openSince = 0
    this.stateSince = this.now()
    this.cause = null
    for (const listener of this.listeners) listener(null)
  }
}
