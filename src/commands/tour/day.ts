import { type Api, createApi, StepFault } from './api.ts'
import { dispose, insightArrives, lookUp } from './call-steps.ts'
import { doctorsAndTimes } from './doctor-steps.ts'
import { agentIsReady, callerIsCalledBack, callIsMissed, callIsTaken, callRings } from './phone-steps.ts'
import { oneCombinedQuery, type TourLead } from './platform-steps.ts'
import type { Printer } from './printer.ts'
import { recordingIsUnderstood } from './recording-steps.ts'
import { openOutside, releaseLeftOver, sandboxAgents } from './sandbox.ts'
import { serviceIsWell } from './service-steps.ts'
import {
  type Account,
  heartbeat,
  secondSignInRefused,
  tokenIsRefused,
  type SignIn,
  signInFirstFree,
  signOut,
  describeSignIn,
  whoAmI,
} from './session-steps.ts'
import { managerSeesTheDay } from './supervision-steps.ts'
import { colleagueIsMade, colleagueLeaves, colleagueSignsIn } from './team-steps.ts'
import type { StepResult } from './step-result.ts'
import { type TourVisit, visitorBooks, visitorLooks, widgetIsPutUp, widgetIsTakenDown } from './widget-steps.ts'

export type Tour = {
  readonly api: Api
  readonly printer: Printer
  /** The agent's login. Null: an agent of the sandbox, in which records may change and callers and phones can be simulated. */
  readonly account: Account | null
  /** Runs a step, prints its result, and returns its value for the next steps. */
  readonly step: <Value>(title: string, run: () => Promise<StepResult<Value>>) => Promise<Value>
}

/** An agent's day from sign-in to sign-out. Throws StepFault if a step fails; a session that was started is ended even then. */
export async function playDay(tour: Tour): Promise<void> {
  const { api, step } = tour
  await step('The service is well', () => serviceIsWell(api))
  const agent = await step('An agent signs in', async () => describeSignIn(await signIn(tour)))
  try {
    await atTheDesk(tour, agent)
  } catch (error) {
    await signOutAfterFault(tour, agent)
    throw error
  }
  await step('The agent signs out', () => signOut(api, agent))
  if (agent.session) await step('Its token is refused', () => tokenIsRefused(api, agent))
  if (tour.account) return
  await newColleague(tour)
  await visitorOfTheSite(tour)
}

async function newColleague({ api, step }: Tour): Promise<void> {
  const colleague = await step('A manager makes a new agent, without a mail', () => colleagueIsMade(api))
  try {
    await step('The new agent signs in', () => colleagueSignsIn(api, colleague))
  } finally {
    await step('The manager removes the new agent again', () => colleagueLeaves(api, colleague))
  }
}

async function visitorOfTheSite({ api, step }: Tour): Promise<void> {
  const widget = await step("A manager makes a key for the widget on the hospital's site", () => widgetIsPutUp(api))
  const visits: TourVisit[] = []
  try {
    const slot = await step('A visitor sees doctors and free times', () => visitorLooks(api, widget))
    visits.push(await step('The visitor holds a time and books it', () => visitorBooks(api, widget, slot)))
  } finally {
    await step('The manager clears up after the visitor', () => widgetIsTakenDown(api, widget, visits))
  }
}

async function atTheDesk(tour: Tour, agent: SignIn): Promise<void> {
  const { api, step, printer } = tour
  await step('Who am I?', () => whoAmI(api, agent))
  if (agent.session) {
    await step('A second sign-in is refused', () => secondSignInRefused(api, agent))
    await step('A heartbeat keeps the session', () => heartbeat(api, agent))
  } else printer.leftOut('The one agent session', 'this member has no agent record')
  const lead = await step('One query reads the sidecar and the platform', () => oneCombinedQuery(api, agent))
  await step('Doctors and their free times', () => doctorsAndTimes(api, agent))
  if (lead) await aboutLead(tour, agent, lead)
  else printer.leftOut('A call', 'this workspace has no lead with a phone number')
}

async function aboutLead({ api, step, printer, account }: Tour, agent: SignIn, lead: TourLead): Promise<void> {
  const before = await step('Who calls is found by the number', () => lookUp(api, agent, lead))
  if (account) return printer.leftOut('A call, its disposition and the insight', 'they would change real records; the sandbox shows them')
  const outside = await step('The telephony provider knows where to call back', () => openOutside(api))
  const phone = { api, agent, outside, lead }
  await step('The agent is ready for calls', () => agentIsReady(phone))
  const ucid = await step('A call rings, and the screen pops', () => callRings(phone))
  await step('The call is answered', () => callIsTaken(phone, ucid))
  const notes = 'Asks for a visit with a cardiologist on Friday morning; call back with the times.'
  await step('The agent disposes of the call', () => dispose(api, agent, { lead, call: { ucid, disposition: 'Call Back Later', notes } }))
  await step('The lead carries an AI summary', () => insightArrives(api, agent, { lead, before }))
  const missed = await step('A call is missed', () => callIsMissed(phone))
  const back = await step('The caller is called back', () => callerIsCalledBack(phone, missed))
  const outcome = { ucid: back, disposition: 'Appointment Booked', notes: 'Friday, 10:30.' }
  await step('The agent disposes of that call too', () => dispose(api, agent, { lead, call: outcome }))
  await step('A manager sees the day', () => managerSeesTheDay(api, agent))
  await step('A recorded call is understood', () => recordingIsUnderstood(api, agent))
}

/** In the sandbox, any free agent is used, and a session that an aborted tour left open is ended. Other sessions are not touched. */
async function signIn({ api, account, printer }: Tour): Promise<SignIn> {
  const accounts = account ? [account] : sandboxAgents
  const first = await signInFirstFree(api, accounts)
  if (first.signIn) return first.signIn
  const taken = first.taken.map(({ account: { email }, detail }) => `${email}: ${detail}`).join('; ')
  const released = account ? null : await releaseLeftOver(api, first.taken)
  if (!released) throw new StepFault(`${taken}. Sign out there, or let a manager release the session`)
  printer.note(`All agents were signed in; the manager ended the oldest session, that of ${released.account.email}.`)
  const second = await signInFirstFree(api, [released.account])
  if (!second.signIn) throw new StepFault(`${released.account.email} was signed in again at once; try once more`)
  return second.signIn
}

const signOutDeadlineMs = 5_000

async function signOutAfterFault({ api, printer }: Tour, agent: SignIn): Promise<void> {
  try {
    await signOut(createApi(api.address, AbortSignal.timeout(signOutDeadlineMs)), agent)
    printer.note(`${agent.account.email} was signed out again.`)
  } catch {
    printer.note(`${agent.account.email} could not be signed out; the session ends by itself at ${agent.session?.expiresAt ?? 'once'}.`)
  }
}
