import { z } from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { telephonyAccounts } from '../accounts.ts'
import { createAgenda } from '../agenda.ts'
import { createCallbackSender } from '../send-webhook.ts'
import type { AgentPhones } from '../sip/sip.ts'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '../stand-in.ts'
import { type AccountState, type AgentAction, type AgentStatus, createAccountState } from './account.ts'
import { authenticateAgent, changeAgentState, type MoveAgent } from './agents.ts'
import { accept, type AcceptedRequest, mintToken } from './authentication.ts'
import { type CallDesk, createCallDesk } from './calls.ts'
import { createTelephonyCommands, type TelephonyCommands, telephonyWireCommands } from './commands.ts'
import { agentManualDial, type BeginOutbound, callControl, phoneManualDial } from './dialling.ts'
import { recordControl, setDisposition } from './disposition.ts'
import { createProviderEvents } from './events.ts'
import { abandonCalls, callRecords } from './reports.ts'
import { headerOf, jsonFields, sameNumber, wireAnswer } from './wire.ts'

export type TelephonyStandInOptions = {
  readonly port?: number
  readonly clock?: Clock
  /** The recordings of calls: `<base>call-001.wav` and on; none when left out. */
  readonly recordingBaseUrl?: string
  /** Wrap-up after which the provider sets a disposition itself; the real one gives 120 s. */
  readonly wrapUpMs?: number
  /** The real one waits about five minutes. */
  readonly endOfCallDelayMs?: number
  readonly callbackRetryDelaysMs?: readonly number[]
  readonly tokenLifetimeMs?: number
  readonly mintsPerHour?: number
  readonly reportsPerMinute?: number
  /** The agents' phones, which ring with their calls. */
  readonly phones?: AgentPhones
  /** Customers who pick up and hang up by themselves; without it, a dialled call rings until a command answers or ends it. */
  readonly dialledCalls?: { readonly ringMs: number; readonly talkMs: number }
}

export type TelephonyStandIn = StandIn & TelephonyCommands

const subscriptionSchema = z.object({ callEventsURL: z.url(), agentEventsURL: z.url() })
const recordingCount = 12

/** The telephony provider Ozonetel CloudAgent, API and event subscription on one address; accounts in `accounts.ts`. */
export async function startTelephony(options: TelephonyStandInOptions = {}): Promise<TelephonyStandIn> {
  const clock = options.clock ?? systemClock
  const now = (): number => clock.now()
  const accounts = Object.values(telephonyAccounts).map((account) => createAccountState(account, now()))
  const agenda = createAgenda(clock)
  const sender = createCallbackSender(agenda, options.callbackRetryDelaysMs ?? [200, 1_000, 3_000])
  const events = createProviderEvents(sender, now)
  const move: MoveAgent = (account, agent, action) => {
    if (agent.status === 'loggedOut' && action !== 'login') return
    Object.assign(agent, { status: statusAfter(action), since: now() })
    events.agent(account, agent, action)
  }
  const wrapUpMs = options.wrapUpMs ?? 120_000
  const desk = createCallDesk({
    clock,
    agenda,
    events,
    move,
    wrapUpMs,
    endOfCallDelayMs: options.endOfCallDelayMs ?? 300,
    phones: options.phones ?? null,
    partyRingMs: options.dialledCalls?.ringMs ?? null,
  })
  const nextRecording = recordingNames(options.recordingBaseUrl)

  const beginOutbound: BeginOutbound = (account, { agentId, customer, campaign, did, uui }) => {
    const line = account.account.campaigns.find((known) => known.name === campaign || (did !== undefined && sameNumber(known.did, did)))
    const { name, skill, did: from } = line ?? account.account.campaigns[0]
    const facts = { direction: 'outbound', customer, did: from, campaign: name, skill, uui, agentId, audioFile: nextRecording() } as const
    const call = desk.begin(account, facts)
    const play = options.dialledCalls
    if (play) agenda.after(play.ringMs, () => call.phase === 'ringing' && desk.answer(account, call))
    // An agent who talks in a browser ends the call.
    const isOver = (): boolean => call.phase === 'talking' && !desk.isAtPhone(call)
    if (play) agenda.after(play.ringMs + play.talkMs, () => isOver() && desk.end(account, call, 'UserHangup'))
    return call
  }

  const routes = routesOf({ accounts, options, now, move, desk, beginOutbound })
  const paths = new Set(Object.keys(routes).map((route) => route.split(' ')[1]))

  const commands = createTelephonyCommands({ accounts, desk, sender, nextRecording })
  const standIn = await startStandIn({
    name: 'telephony',
    ...(options.port === undefined ? {} : { port: options.port }),
    commands: telephonyWireCommands(commands),
    handle(request) {
      const route = routes[`${request.method} ${request.path}`]
      if (route) return route(request)
      const status = paths.has(request.path) ? 405 : 404
      return wireAnswer({ status: 'error', message: status === 405 ? 'Method Not Allowed' : 'Not Found' }, status)
    },
  })
  return {
    ...standIn,
    ...commands,
    async [Symbol.asyncDispose]() {
      agenda[Symbol.dispose]()
      await sender[Symbol.asyncDispose]()
      await standIn[Symbol.asyncDispose]()
    },
  }
}

type Routes = Readonly<Record<string, (request: StandInRequest) => StandInAnswer>>

/** What the provider answers on its paths, by method and path. */
function routesOf({
  accounts,
  options,
  now,
  move,
  desk,
  beginOutbound,
}: {
  readonly accounts: readonly AccountState[]
  readonly options: TelephonyStandInOptions
  readonly now: () => number
  readonly move: MoveAgent
  readonly desk: CallDesk
  readonly beginOutbound: BeginOutbound
}): Routes {
  const accepted = (handle: (request: AcceptedRequest, raw: StandInRequest) => StandInAnswer) => (request: StandInRequest) => {
    const result = accept(accounts, request, now())
    return 'account' in result ? handle(result, request) : result
  }
  const records = accepted((request, raw) => callRecords(request, raw, { requestsPerMinute: options.reportsPerMinute ?? 2, now }))
  const rules = { lifetimeMs: options.tokenLifetimeMs ?? 30 * 60_000, mintsPerHour: options.mintsPerHour ?? 10 }
  return {
    'POST /ca_apis/CAToken/generateToken': (request) => mintToken(accounts, rules, now())(request),
    'POST /CAServices/AgentAuthenticationV2/index.php': authenticateAgent(accounts, move),
    'POST /ca_apis/changeAgentState': accepted((request) => changeAgentState(request, move)),
    'POST /ca_apis/AgentManualDial': accepted((request) => agentManualDial(request, beginOutbound)),
    'POST /ca_apis/PhoneManualDial': accepted((request) => phoneManualDial(request, beginOutbound)),
    'POST /ca_apis/CallControl_V4': accepted((request) => callControl(request, desk)),
    'POST /ca_apis/DispositionAPIV2': accepted((request) => setDisposition(request, desk)),
    'GET /CAServices/Call/Record.php': recordControl(accounts),
    'GET /ca_apis/abandonCalls': accepted((request) => abandonCalls(request, now())),
    'GET /ca_reports/fetchCDRDetails': records,
    'GET /ca_reports/fetchCdrByUCID': records,
    'GET /ca_reports/fetchCdrByPagination': records,
    'POST /events/subscribe': subscribe(accounts),
  }
}

/** `POST /events/subscribe` on the subscription host: one pair of addresses per account replaces the one before. Answers plain text. */
function subscribe(accounts: readonly AccountState[]) {
  return (request: StandInRequest): StandInAnswer => {
    const account = accounts.find(({ account }) => account.userName === headerOf(request, 'username'))
    if (account?.account.apiKey !== headerOf(request, 'api_key')) return { status: 401, body: 'Unauthorized' }
    const urls = subscriptionSchema.safeParse(jsonFields(request))
    if (!urls.success) return { status: 400, body: 'Invalid request' }
    account.urls.callEvents = urls.data.callEventsURL
    account.urls.agentEvents = urls.data.agentEventsURL
    account.subscriptions += 1
    return { body: 'Subscribed successfully' }
  }
}

function recordingNames(baseUrl: string | undefined): () => string {
  let last = 0
  return () => {
    if (baseUrl === undefined) return ''
    last = (last % recordingCount) + 1
    return `${baseUrl}call-${String(last).padStart(3, '0')}.wav`
  }
}

function statusAfter(action: AgentAction): AgentStatus {
  if (action === 'login') return 'AUX'
  if (action === 'logout') return 'loggedOut'
  return action === 'release' ? 'ACW' : action
}
