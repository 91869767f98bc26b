import { AppError } from './errors.ts'

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
  /** So many calls wait for so long and none is answered: the upstream stalls. Null: never, because its answers may take minutes. */
  readonly silence?: { readonly calls: number; readonly ms: number } | null
  /**
   * Asked before silence counts: rejects if the upstream gives no answer. Without it, silence is enough. While it is open because of silence, the
   * probe is asked with each test, and its answer closes it too.
   */
  readonly probe?: ((signal: AbortSignal) => Promise<unknown>) | null
  /** Default 1 s. */
  readonly probeDeadlineMs?: number
  /** Milliseconds that only grow, over 0. */
  readonly now?: () => number
}

/** For metrics. */
export type BreakerCounts = { openings: number; refused: number; retries: number }

const usualSilence = { calls: 3, ms: 2_500 }
/** While slow calls wait, the time between two probes doubles up to this. */
const maxSilenceMs = 20_000
/** The shortest time until the next check for silence, for example while a probe is under way. */
const minWatchMs = 250
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
  private readonly rules: Required<BreakerRules>
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
  /** Since when `silence.calls` calls have been waiting without an answer. */
  private silentSince = 0
  /** How long they may wait from then on. */
  private silenceMs: number
  /** Checks for silence also if nobody else calls. */
  private silenceTimer: NodeJS.Timeout | null = null
  private isProbing = false
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
    this.rules = { failuresToOpen, openMs, silence, probe, probeDeadlineMs, now }
    this.silenceMs = silence?.ms ?? 0
  }

  get isOpen(): boolean {
    return this.openSince > 0
  }

  /** Why it is open, and for how long; null if it is closed, or if nobody has called for a minute. */
  get pause(): { readonly cause: PauseCause; readonly seconds: number } | null {
    const now = this.rules.now()
    if (this.cause === null || now - this.usedAt >= forgottenMs) return null
    return { cause: this.cause, seconds: Math.round((now - this.openSince) / 1_000) }
  }

  /** What the last calls have shown, and how many milliseconds ago; null if they have shown nothing. */
  get verdict(): { readonly works: boolean; readonly agoMs: number } | null {
    if (this.verdictAt === 0 || (!this.isOpen && this.failures > 0)) return null
    return { works: !this.isOpen, agoMs: this.rules.now() - this.verdictAt }
  }

  /** Whether it works, and for how long this has been so; null if it has shown nothing yet. */
  get state(): { readonly works: boolean; readonly seconds: number } | null {
    if (this.stateSince === 0) return null
    return { works: !this.isOpen, seconds: Math.round((this.rules.now() - this.stateSince) / 1_000) }
  }

  /** Whether somebody has called in this time. */
  usedWithin(ms: number): boolean {
    return this.rules.now() - this.usedAt < ms
  }

  /** The listener is called when it opens, with the cause, and when it closes, with null. */
  onChange(listener: (cause: PauseCause | null) => void): void {
    this.listeners.push(listener)
  }

  /** Before a call; exactly one of `answered`, `failed` and `left` must follow. Throws PROVIDER_UNAVAILABLE if it is open. */
  enter(): void {
    const { silence, now: clock } = this.rules
    const now = clock()
    this.usedAt = now
    if (this.isSilent(now)) this.suspect()
    if (this.openSince > 0) this.takeTest(now)
    this.waiting += 1
    if (silence === null || this.waiting < silence.calls) return
    if (this.waiting === silence.calls) this.watchFrom(now, silence.ms)
    if (this.silenceTimer === null && this.openSince === 0) this.watchSilence(silence.ms)
  }

  /** It has answered, if only with a refusal. */
  answered(): void {
    this.waiting -= 1
    if (this.retries < maxRetries) this.retries += retryShare
    this.recordAnswer()
  }

  /** It could not be reached, reported that it does not work, or gave no answer within its usual deadline. */
  failed(): void {
    this.waiting -= 1
    this.failures += 1
    this.verdictAt = this.rules.now()
    if (this.openSince === 0 && this.failures >= this.rules.failuresToOpen) this.open('failures')
  }

  /**
   * The call ended without a verdict, because its caller left or waited for less than the usual deadline. It may have been the test, so another
   * one may follow at once; only one, because the calls from before it opened may all leave now.
   */
  left(): void {
    this.waiting -= 1
    if (this.openSince === 0 || !this.mayTestEarly) return
    this.mayTestEarly = false
    this.nextTestAt = Math.min(this.nextTestAt, this.rules.now())
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
    const retryAfterSeconds = Math.max(1, Math.ceil((this.nextTestAt - this.rules.now()) / 1_000))
    const detail = `${who} does not work at the moment, and gets no requests until it does. Try again in ${retryAfterSeconds} s`
    return new AppError('PROVIDER_UNAVAILABLE', { detail, data: { retryAfterSeconds, party } })
  }

  private takeTest(now: number): void {
    if (now < this.nextTestAt) {
      this.counts.refused += 1
      throw this.refusal()
    }
    const { openMs, probe } = this.rules
    this.mayTestEarly = now - this.testedAt >= openMs
    this.testedAt = now
    this.nextTestAt = now + openMs
    // The test itself may take minutes, if its answers usually do.
    if (this.cause !== 'silence' || probe === null) return
    this.ask(probe, (answers) => {
      if (answers && this.cause === 'silence') this.recordAnswer()
    })
  }

  private recordAnswer(): void {
    this.failures = 0
    this.verdictAt = this.rules.now()
    this.watchFrom(this.verdictAt, this.rules.silence?.ms ?? 0)
    if (this.stateSince === 0) this.stateSince = this.verdictAt
    if (this.openSince > 0) this.close()
  }

  private watchFrom(now: number, ms: number): void {
    this.silentSince = now
    this.silenceMs = ms
  }

  private isSilent(now: number): boolean {
    const { silence } = this.rules
    return silence !== null && this.openSince === 0 && this.waiting >= silence.calls && now - this.silentSince >= this.silenceMs
  }

  /** At most one timer at a time, and none while few calls wait. */
  private watchSilence(ms: number): void {
    this.silenceTimer = setTimeout(() => {
      // Answers that came while the event loop was blocked are read first.
      setImmediate(() => {
        this.silenceTimer = null
        const { silence, now: clock } = this.rules
        const now = clock()
        if (this.isSilent(now)) this.suspect()
        if (silence === null || this.openSince > 0 || this.waiting < silence.calls) return
        // Not later, because an answer makes the time short again.
        this.watchSilence(Math.min(silence.ms, Math.max(minWatchMs, this.silentSince + this.silenceMs - now)))
      })
    }, ms).unref()
  }

  /** Slow answers are no silence: the probe finds out which it is. */
  private suspect(): void {
    const { probe, now } = this.rules
    if (probe === null) return this.open('silence')
    const since = this.silentSince
    this.ask(probe, (answers) => {
      if (answers && this.silentSince === since) this.watchFrom(now(), Math.min(2 * this.silenceMs, maxSilenceMs))
      else if (!answers && this.openSince === 0 && this.silentSince === since) this.open('silence')
    })
  }

  /** One probe at a time. */
  private ask(probe: NonNullable<BreakerRules['probe']>, settle: (answers: boolean) => void): void {
    if (this.isProbing) return
    this.isProbing = true
    const deadline = new AbortController()
    const late = (): void => deadline.abort(new DOMException('The probe took too long', 'TimeoutError'))
    // Answers that came while the event loop was blocked are read first.
    const timer = setTimeout(() => setImmediate(late), this.rules.probeDeadlineMs).unref()
    const end = (answers: boolean): void => {
      clearTimeout(timer)
      this.isProbing = false
      settle(answers)
    }
    probe(deadline.signal).then(
      () => end(true),
      () => end(false),
    )
  }

  private open(cause: PauseCause): void {
    this.openSince = this.rules.now()
    this.verdictAt = this.openSince
    this.stateSince = this.openSince
    this.nextTestAt = this.openSince + this.rules.openMs
    this.mayTestEarly = false
    this.testedAt = this.openSince
    this.cause = cause
    this.counts.openings += 1
    for (const listener of this.listeners) listener(cause)
  }

  private close(): void {
    this.openSince = 0
    this.stateSince = this.rules.now()
    this.cause = null
    for (const listener of this.listeners) listener(null)
  }
}
