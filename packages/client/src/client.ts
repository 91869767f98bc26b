import type { Json } from './errors/read-errors.ts'
import { ServiceError } from './errors/service-error.ts'
import { documentOf, type Operation, ownOperation, type TypedDocument, type OwnParameters } from './graphql/document.ts'
import type { AgentLoginInput, AgentLogout, LoginTokenInput, Mutation, Query, Subscription } from './graphql/generated.ts'
import { openEventStream, requestData, typed } from './graphql/request.ts'
import type { Exact, Selected, Selection } from './graphql/selection.ts'
import { type OpenStream, type StreamOptions, type StreamSource, subscribe } from './graphql/subscribe.ts'
import type { RestOperations } from './rest/generated.ts'
import { isPublic, type RestAnswer, type RestParameters, type RestWithResponse, sendRest } from './rest/rest.ts'
import { cookieIssuer, graphqlIssuer } from './session/issuers.ts'
import { memoryStore, type SessionStore } from './session/saved-session.ts'
import { Session, type SessionLost } from './session/session.ts'
import type { Member, OwnAgentSession, SignedIn, StartedSession } from './session/sign-in.ts'
import { realTimers, type Timers } from './timers.ts'
import type { Connection, RequestOptions } from './transport.ts'

export type * from './graphql/generated.ts'
export type * from './graphql/selection.ts'
export type * from './errors/generated.ts'
export type { RestOperations } from './rest/generated.ts'
export type { ErrorData, FieldFault } from './errors/service-error.ts'
export type {
  Member,
  OpenStream,
  OwnAgentSession,
  RequestOptions,
  RestWithResponse,
  SessionLost,
  SessionStore,
  SignedIn,
  StartedSession,
  StreamOptions,
  Timers,
  TypedDocument,
}
export type { LossReason } from './session/heartbeat.ts'
export type { SavedAgentSession, SavedSession } from './session/saved-session.ts'
export { ServiceError }
export { webStore } from './session/saved-session.ts'

export interface ClientOptions {
  /** The address of the service, without `/graphql`: `https://calls.example.com`. */
  readonly url: string
  /** Where the session is stored. Default: in memory, so it ends with the page. */
  readonly store?: SessionStore
  /**
   * For pages that the service itself serves: the path where they sign in. The refresh token then is in a cookie that no script reads, and not in `store`.
   * Default: the operations of the schema.
   */
  readonly sessionPath?: string
  /** How long an answer may take. Default: 60,000 ms. */
  readonly timeoutMs?: number
  /** Gives the text of a document that is a node without its source, such as those of gql.tada. */
  readonly print?: (node: never) => string
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** How subscriptions are opened. Default: by server-sent events, each with a connection of its own. */
  readonly openStream?: OpenStream
  /** Default: the system's. */
  readonly timers?: Timers
}

/** All requests throw a ServiceError. A token that ends soon, or is refused, is renewed first, once for all requests at the same time. */
export interface Client {
  /** Signs a member in; streams of an earlier sign-in end. An agent also gets the agent session, which is renewed by itself from then on. */
  readonly signIn: (input: AgentLoginInput) => Promise<SignedIn>
  /** Signs in with a login token of the platform (single sign-on, second factor). An agent then calls `startAgentSession`. */
  readonly exchangeLoginToken: (input: LoginTokenInput) => Promise<void>
  /** Starts the agent session of the signed-in member. `takeOver`: a person wants to go on here, although the member is signed in on another device. */
  readonly startAgentSession: (given?: { readonly takeOver?: boolean }) => Promise<StartedSession>
  /**
   * Starts the agent session again, for example for the phone's credentials in another tab. It needs no person: it never takes over one that another
   * device has begun meanwhile.
   */
  readonly restartAgentSession: () => Promise<StartedSession>
  /** Goes on with the stored session, for example after a reload of the page. Null if there is none, or if it has ended. */
  readonly resume: () => Promise<Member | null>
  /** Ends the agent session, the tokens and all streams, and forgets the tokens, also if the request fails. */
  readonly signOut: () => Promise<Omit<AgentLogout, '__typename'>>
  /** The agent session of this device. Null for a member without one. */
  readonly agentSession: OwnAgentSession | null
  /** Calls the listener when the agent session or the sign-in is lost. Returns what removes it. */
  readonly onSessionLost: (listener: (lost: SessionLost) => void) => () => void
  /** A token for another GraphQL client, such as urql or Apollo. It is renewed first if it ends soon. Null without a sign-in. */
  readonly accessToken: () => Promise<string | null>
  /** Another token than the refused one. */
  readonly renewToken: (refused: string) => Promise<string>

  readonly query: <const Given extends Selection<Query>>(
    selection: Given & Exact<Given, Selection<Query>>,
    options?: RequestOptions,
  ) => Promise<Selected<Query, Given>>
  readonly mutate: <const Given extends Selection<Mutation>>(
    selection: Given & Exact<Given, Selection<Mutation>>,
    options?: RequestOptions,
  ) => Promise<Selected<Mutation, Given>>
  /** The events of a subscription, as long as the iteration goes on. Interruptions are mended by themselves. */
  readonly subscribe: <const Given extends Selection<Subscription>>(
    selection: Given & Exact<Given, Selection<Subscription>>,
    options?: StreamOptions,
  ) => AsyncIterable<Selected<Subscription, Given>>
  /** Runs a query or mutation of your own, for example with fields of the platform. */
  readonly execute: <Data, Given>(document: TypedDocument<Data, Given>, ...given: OwnParameters<Given, RequestOptions>) => Promise<Data>
  /** Runs a subscription of your own. */
  readonly stream: <Data, Given>(document: TypedDocument<Data, Given>, ...given: OwnParameters<Given, StreamOptions>) => AsyncIterable<Data>

  /**
   * Sends a REST request: `rest('POST /api/calls/{ucid}/disposition', { path: { ucid }, body: { ... } })`. JSON comes as
   * its value; everything else, such as the audio of a recording, as the response, to be read as a stream or blob.
   */
  readonly rest: <Name extends keyof RestOperations>(operation: Name, ...given: RestParameters<Name>) => Promise<RestAnswer<Name>>
  /** Like `rest`, with the response (status and headers) and the place of the next page beside the answer. */
  readonly restWithResponse: <Name extends keyof RestOperations>(
    operation: Name,
    ...given: RestParameters<Name>
  ) => Promise<RestWithResponse<RestAnswer<Name>>>

  /** Ends heartbeats and streams. The stored session stays, so that another client can resume it. */
  readonly close: () => void
}

export function createClient({
  url,
  store = memoryStore(),
  sessionPath,
  timeoutMs = 60_000,
  print,
  fetch: ownFetch = (...given) => fetch(...given),
  openStream = (_sending, _signal, overHttp) => overHttp(),
  timers = realTimers,
}: ClientOptions): Client {
  const connection = { url: url.replace(/\/$/, ''), fetch: ownFetch, timers, timeoutMs }
  const issuer = sessionPath === undefined ? graphqlIssuer(connection) : cookieIssuer(connection, sessionPath)
  const session = new Session(connection, { store, issuer }, () => streams.end())
  const streams: Streams = createStreams(connection, session, openStream)
  const run = (operation: Operation, options?: RequestOptions): Promise<Json> =>
    session.authorized((token) => requestData(connection, { operation, token }, options))
  const runRest = <Name extends keyof RestOperations>(
    operation: Name,
    ...[request, options]: RestParameters<Name>
  ): Promise<RestWithResponse<unknown>> => {
    const sending = (token: string | null): Promise<RestWithResponse<unknown>> =>
      sendRest(connection, { operation, request: request ?? {}, token }, options)
    return isPublic(operation) ? sending(null) : session.authorized(sending)
  }

  return {
    signIn: (input) => session.signIn(input),
    exchangeLoginToken: (input) => session.exchangeLoginToken(input),
    startAgentSession: ({ takeOver = false } = {}) => session.startAgentSession({ takeOver }),
    restartAgentSession: () => session.restartAgentSession(),
    resume: () => session.resume(),
    async signOut() {
      streams.end()
      return session.signOut()
    },
    get agentSession() {
      return session.agentSession
    },
    onSessionLost: (listener) => session.onLost(listener),
    accessToken: () => session.credentials.access(),
    renewToken: (refused) => session.credentials.renew(refused),
    query: async (selection, options) => typed(await run(documentOf('query', selection), options)),
    mutate: async (selection, options) => typed(await run(documentOf('mutation', selection), options)),
    subscribe: (selection, options) => typedStream(streams.open(documentOf('subscription', selection), options)),
    execute: async (document, ...[variables, options]) => typed(await run(ownOperation({ document, variables, print }), options)),
    stream: (document, ...[variables, options]) => typedStream(streams.open(ownOperation({ document, variables, print }), options)),
    rest: async (operation, ...given) => answered((await runRest(operation, ...given)).answer),
    async restWithResponse(operation, ...given) {
      const { answer, ...rest } = await runRest(operation, ...given)
      return { answer: answered(answer), ...rest }
    },
    close() {
      session.stop()
      streams.end()
    },
  }
}

type Streams = { readonly open: (operation: Operation, options?: StreamOptions) => AsyncGenerator<Json, void>; readonly end: () => void }

/** The streams of a client: all of them end together. */
function createStreams(connection: Connection, session: Session, openStream: OpenStream): Streams {
  const { credentials } = session
  let all = new AbortController()
  return {
    open(operation, options = {}) {
      const source = {
        timers: connection.timers,
        open: (token: string | null, signal: AbortSignal) =>
          openStream({ operation, token }, signal, () => openEventStream(connection, { operation, token }, signal)),
        access: () => credentials.access(),
        renew: (refused: string, refusal: ServiceError) => credentials.renew(refused, refusal),
        isOwnTakeOver: (error: ServiceError) => session.isOwnTakeOver(error),
        onEnd: (error: ServiceError) => session.checkLoss(error),
      }
      return untilLeft(source, options, all.signal)
    },
    end() {
      all.abort()
      all = new AbortController()
    },
  }
}

/** A subscription that ends with either signal, and no longer listens to them when it is over. */
async function* untilLeft(source: StreamSource, options: StreamOptions, all: AbortSignal): AsyncGenerator<Json, void> {
  const own = new AbortController()
  const end = (): void => own.abort()
  const signals = [all, options.signal]
  for (const signal of signals) {
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
  }
  try {
    yield* subscribe(source, options, own.signal)
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', end)
  }
}

/** The service sends what the schema says. */
function typedStream<Data>(data: AsyncGenerator<Json, void>): AsyncGenerator<Data, void>
function typedStream(data: AsyncGenerator<unknown, void>): AsyncGenerator<unknown, void> {
  return data
}

/** The service answers what its description says. */
function answered<Name extends keyof RestOperations>(answer: unknown): RestAnswer<Name>
function answered(answer: unknown): unknown {
  return answer
}
