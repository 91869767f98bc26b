import { ServiceError, type StreamOptions, type TypedDocument } from '@call-center-sidecar/client'
import { createStore, type Readable, type Store, useStore } from '../state/store.ts'
import { connection } from './connection.ts'
import { service } from './service-client.ts'

/** `isCurrent`: the stream is open and its first state has arrived. False before that, and while the connection is lost. */
export type LiveState<State> = { readonly state: State; readonly isCurrent: boolean; readonly error: ServiceError | null }
export type Live<State> = Readable<LiveState<State>>
type Definition<Data, State> = { readonly initial: State; readonly reduce: (state: State, event: Data) => State }
type Report = ReturnType<typeof connection.follow>

/** The service sends the current state as a burst of events: they are shown together. */
const settleMs = 60
/** A screen that is left and opened again goes on with the same stream. */
const lingerMs = 5_000

/**
 * What a subscription says, reduced to a state that all components share. The stream begins with the first component that uses it and ends some
 * seconds after the last. Each (re)connection begins with the current state, so `reduce` starts from `initial` again: nothing that ended
 * meanwhile remains. The old state stays on the screen until the new one is there: at once, because nothing may be there to tell; with the
 * first event, if `initial` is null.
 */
export function defineLive<Data, State>(
  document: TypedDocument<Data, Record<string, never>>,
  definition: Definition<Data, State>,
): Live<State> {
  const stream = new SharedStream(document, definition)
  // Sooner than the next try of the client, which may be half a minute away.
  addEventListener('online', () => stream.hurry())
  let users = 0
  return {
    get: () => stream.shown.get(),
    subscribe(listener) {
      const remove = stream.shown.subscribe(listener)
      users += 1
      stream.begin()
      return () => {
        remove()
        users -= 1
        setTimeout(() => users === 0 && stream.end(null), lingerMs)
      }
    },
  }
}

class SharedStream<Data, State> {
  readonly shown: Store<LiveState<State>>
  readonly #document: TypedDocument<Data, Record<string, never>>
  readonly #definition: Definition<Data, State>
  #next: State
  #running: AbortController | null = null
  #settling: ReturnType<typeof setTimeout> | undefined

  constructor(document: TypedDocument<Data, Record<string, never>>, definition: Definition<Data, State>) {
    this.#document = document
    this.#definition = definition
    this.#next = definition.initial
    this.shown = createStore<LiveState<State>>({ state: definition.initial, isCurrent: false, error: null })
  }

  begin(): void {
    if (this.#running) return
    this.#running = new AbortController()
    void this.#run(this.#running)
  }

  end(error: ServiceError | null): void {
    this.#running?.abort()
    this.#running = null
    this.#stopSettling()
    this.#next = this.#definition.initial
    this.shown.set({ state: this.#next, isCurrent: false, error })
  }

  /** Opens an interrupted stream now. */
  hurry(): void {
    if (!this.#running || this.shown.get().isCurrent) return
    this.#running.abort()
    this.#running = null
    this.begin()
  }

  async #run(own: AbortController): Promise<void> {
    const report = connection.follow()
    const onState: StreamOptions['onState'] = (state, error) => {
      if (this.#running !== own) return
      if (state === 'OPEN') {
        this.#startAgain(report)
      } else {
        report.interrupt(error?.reason === 'TOO_MANY_STREAMS' ? 'TOO_MANY' : 'LOST')
        this.#interrupt()
      }
    }
    try {
      for await (const event of service.stream(this.#document, {}, { signal: own.signal, onState })) {
        this.#next = this.#definition.reduce(this.#next, event)
        this.#showSoon(report)
      }
      // The member signed out.
      if (this.#running === own) this.end(null)
    } catch (error) {
      if (this.#running === own) this.end(error instanceof ServiceError ? error : null)
    } finally {
      report.mend()
    }
  }

  #startAgain(report: Report): void {
    this.#next = this.#definition.initial
    if (this.#next !== null) this.#showSoon(report)
  }

  #interrupt(): void {
    this.#stopSettling()
    this.shown.set({ ...this.shown.get(), isCurrent: false })
  }

  /** Not before that is the connection well again: over the socket, a stream that the service refuses is open for a moment. */
  #showSoon(report: Report): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      report.mend()
      this.shown.set({ state: this.#next, isCurrent: true, error: null })
    }, settleMs)
  }

  #stopSettling(): void {
    clearTimeout(this.#settling)
    this.#settling = undefined
  }
}

export function useLive<State>(live: Live<State>): LiveState<State> {
  return useStore(live)
}

/** A map with one entry changed: for states of entities by their id. Null removes it. */
export function withEntry<Entry>(entries: ReadonlyMap<string, Entry>, id: string, entry: Entry | null): ReadonlyMap<string, Entry> {
  const changed = new Map(entries)
  if (entry === null) changed.delete(id)
  else changed.set(id, entry)
  return changed
}
