import { setImmediate as nextRound } from 'node:timers/promises'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'

/** What a use case asks of its ports, step by step: counted, answered late, and failing where a test wants it. */
export type Steps = {
  /** The same ports, each asynchronous method of them a step. */
  around<T extends object>(ports: T): T
  /** Watches one run; `failing`: which step fails, with what. */
  watch<Result>(run: () => Promise<Result>, failing?: FailingStep): Promise<Watched<Result>>
}

/** The `time`th (from 1) step of this name. */
type FailingStep = { readonly name: string; readonly time: number; readonly error: (name: string) => Error }
type Watched<Result> = {
  readonly settled: PromiseSettledResult<Result>
  /** The names of all steps, in their order. */
  readonly names: readonly string[]
  /** Those of the store and the bus that were still under way when the run ended. */
  readonly left: readonly string[]
  /** What the failing step failed with; null if the run never came to it. */
  readonly failure: Error | null
}

type Run = {
  readonly names: string[]
  readonly open: Map<Promise<unknown>, string>
  readonly failing: FailingStep | null
  failure: Error | null
  /** What the failing step would have released; the next run finds it free. */
  release: (() => unknown) | null
}

/** Parts of ports that are no steps: they answer at once, or hold no promise of their own. */
const noPorts: ReadonlySet<string> = new Set([
  'clock',
  'log',
  'metrics',
  'schemas',
  'withFallback',
  'addressGuard',
  'guarded',
  'servedWorkspaces',
])
const noSteps = /^(entryOf|onGap|watch|close|on[A-Z]\w*|keyFor|boxFor|stopWaiting|checkPlatform|then)$|^(bus|notifications)\.subscribe$/
/** Made some rounds of the event loop later, as on a network. Reads answer from what was there before. */
const writes = /^(set|delete|compare|increment|sorted(Add|Remove|Trim)|publish|record$|add$|write|put|replace|remove)/

export function createSteps(): Steps {
  let run: Run | null = null

  const begin = (name: string, call: () => unknown): unknown => {
    if (!run) return call()
    const current = run
    const time = timesOf(current.names, name) + 1
    const { failing } = current
    const method = name.split(/[. ]/)[1] ?? ''
    if (failing?.name === name && failing.time === time) {
      const failure = failing.error(name)
      current.failure = failure
      if (method === 'compareAndDelete') current.release = call
      return track(
        current,
        name,
        later(() => Promise.reject(failure)),
      )
    }
    if (writes.test(method))
      return track(
        current,
        name,
        later(async () => call()),
      )
    const answer = call()
    return answer instanceof Promise ? track(current, name, answer.finally(rounds)) : answer
  }

  const wrap = <T extends object>(port: T, label: string): T =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver)
        if (isPlain(member) && typeof name === 'string') return wrap(member, `${label}.${name}`)
        if (typeof member !== 'function' || typeof name !== 'string' || noSteps.test(name) || noSteps.test(`${label}.${name}`))
          return member
        return (...args: unknown[]): unknown => begin(`${label}.${name}${subjectOf(args)}`, () => Reflect.apply(member, target, args))
      },
    })
  /** `telephonyOf`: the answer is a port. */
  const wrapChoice =
    (choose: (...args: unknown[]) => unknown, label: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      const chosen = await begin(`${label}.of`, () => choose(...args))
      return typeof chosen === 'object' && chosen !== null ? wrap(chosen, label) : chosen
    }

  return {
    around: (ports) =>
      new Proxy(ports, {
        get(target, name, receiver) {
          const port: unknown = Reflect.get(target, name, receiver)
          if (typeof name !== 'string' || noPorts.has(name) || noSteps.test(name)) return port
          if (typeof port === 'function')
            return name.endsWith('Of') ? wrapChoice((...args) => Reflect.apply(port, target, args), name.slice(0, -2)) : port
          return typeof port === 'object' && port !== null && !Array.isArray(port) ? wrap(port, name) : port
        },
      }),
    async watch(start, failing) {
      if (run) throw new Error('one run at a time')
      const current: Run = { names: [], open: new Map(), failing: failing ?? null, failure: null, release: null }
      run = current
      try {
        const [settled] = await Promise.allSettled([start()])
        // The platform's answers come when the network brings them, and nobody waits for the release of a lease: which of them came before
        // the end says nothing.
        const left = [...current.open.values()].filter((name) => stores.test(name) && !releases.test(name))
        while (current.open.size > 0) await Promise.allSettled(current.open.keys())
        await current.release?.()
        return { settled, names: current.names, left, failure: current.failure }
      } finally {
        run = null
      }
    },
  }
}

/** A part of a port that has methods of its own. */
function isPlain(member: unknown): member is object {
  return typeof member === 'object' && member !== null && Object.getPrototypeOf(member) === Object.prototype
}

function track(run: Run, name: string, step: Promise<unknown>): Promise<unknown> {
  run.names.push(name)
  run.open.set(step, name)
  const over = (): void => void run.open.delete(step)
  step.then(over, over)
  return step
}

async function rounds(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await nextRound()
}

async function later<T>(call: () => Promise<T>): Promise<T> {
  await rounds()
  return call()
}

/** What the step is about, without what differs from run to run: the store key `call:*:*`, the topic, the section. */
function subjectOf([first, second]: readonly unknown[]): string {
  if (typeof second === 'string' && /^[a-z]+$/.test(second)) return ` ${second}`
  if (typeof first === 'object' && first !== null && 'topic' in first) return ` ${String(first.topic)}`
  const key: unknown = Array.isArray(first) ? first[0] : first
  if (typeof key !== 'string') return ''
  if (/^[a-z][a-z-]+$/.test(key)) return ` ${key}`
  if (!key.includes(':')) return ''
  const parts = key.split(':').map((part) => (/^[a-z][a-z-]{0,30}$/.test(part) ? part : '*'))
  return ` ${parts.join(':')}`
}

/** Lists that are empty are left out. */
export type Outcomes = {
  /** The steps whose failure does not fail the use case; with numbers if that is so of some of several. */
  readonly tolerated?: readonly string[]
  /** The steps whose failure the use case answers with another error: `step: error`. */
  readonly answered?: readonly string[]
  /** The steps of the store and the bus that a run leaves under way although it ends well. */
  readonly left?: readonly string[]
}

export type Scenario<Subject> = {
  /** Prepares a subject of its own for each run. */
  readonly prepare: () => Promise<Subject>
  readonly run: (subject: Subject) => Promise<unknown>
  /** Only the platform and the providers fail, for this reason; by default each step fails because it is away. */
  readonly reason?: ErrorReason | 'unexpected'
}

/** Runs a use case again and again, each time another of its steps fails. All steps that are in no list fail it with their own error. */
export async function failEachStep<Subject>(steps: Steps, { prepare, run, reason }: Scenario<Subject>): Promise<Outcomes> {
  // What the first run caches, the others need not read.
  await run(await prepare())
  const first = await prepare()
  const healthy = await steps.watch(() => run(first))
  if (healthy.settled.status === 'rejected') throw healthy.settled.reason
  const tolerated: FailedStep[] = []
  const answered: string[] = []
  const left = [...healthy.left]
  const error = reason === undefined ? away : () => failureOf(reason)
  const failing = [...healthy.names.entries()].filter(([, name]) => reason === undefined || !stores.test(name))
  if (failing.length === 0) throw new Error('This use case has no step that could fail so')
  for (const [index, name] of failing) {
    const time = timesOf(healthy.names.slice(0, index + 1), name)
    const subject = await prepare()
    const { settled, failure, left: open } = await steps.watch(() => run(subject), { name, time, error })
    if (!failure) answered.push(`${name}: not reached`)
    else if (settled.status === 'fulfilled') {
      tolerated.push({ name, time })
      left.push(...open)
    } else if (settled.reason !== failure) answered.push(`${name}: ${nameOf(settled.reason)}`)
  }
  const shown = Object.entries({ tolerated: namesOf(tolerated, healthy.names), answered, left })
  return Object.fromEntries(shown.flatMap(([list, names]) => (names.length === 0 ? [] : [[list, [...new Set(names)].toSorted()]])))
}

type FailedStep = Pick<FailingStep, 'name' | 'time'>

function namesOf(failed: readonly FailedStep[], all: readonly string[]): readonly string[] {
  const byName = Map.groupBy(failed, ({ name }) => name)
  return [...byName].map(([name, of]) => (of.length === timesOf(all, name) ? name : `${name} (${of.map(({ time }) => time).join(', ')})`))
}

function timesOf(names: readonly string[], name: string): number {
  return names.filter((other) => other === name).length
}

const releases = /^store\.compareAndDelete .*\blease\b/
const stores = /^(store|documents|audit|bus|outbox|notifications|configuration|sections)\b/

function away(name: string): Error {
  return new AppError(stores.test(name) ? 'STORE_UNAVAILABLE' : 'PROVIDER_UNAVAILABLE')
}

function failureOf(reason: ErrorReason | 'unexpected'): Error {
  return reason === 'unexpected' ? new Error('a step failed') : new AppError(reason)
}

function nameOf(error: unknown): string {
  return error instanceof AppError ? error.reason : String(error)
}
