import { type Member, ServiceError, type SessionLost, type StartedSession } from '@call-center-sidecar/client'
import { service, sessionKey } from '../data/service-client.ts'
import { createStore, type Readable, useStore } from '../state/store.ts'
import { type Credentials, exchangePassword } from './exchange-password.ts'
import { type Loss, lossKey, readLoss, writeLoss } from './loss.ts'

/** What the softphone registers with, and whether the agent is signed in at the telephony provider. Known to the tab that began the session. */
export type Phone = Pick<StartedSession, 'sip' | 'telephony'>
/** The agent session that is in the way: where it was started and when, and whether it is the member's own, which can be taken over. */
export type SessionHolder = { readonly ip: string; readonly lockedAt: string; readonly isOwn: boolean }

export type Over = { readonly loss: Loss }

export type SessionState =
  | { readonly kind: 'STARTING' }
  | { readonly kind: 'SIGNED_OUT'; readonly loss: Loss }
  /** Signed in, but the agent works elsewhere. */
  | { readonly kind: 'LOCKED'; readonly member: Member; readonly holder: SessionHolder }
  /**
   * `phone`: null for a member without an agent record, and in a tab that did not begin the agent session. `isSetupOpen`: a manager has signed in to a
   * workspace whose setup is not finished. `over`: the sign-in is over, and this tab has only the sound of its call, until the call ends.
   */
  | {
      readonly kind: 'SIGNED_IN'
      readonly member: Member
      readonly phone: Phone | null
      readonly isSetupOpen?: boolean
      readonly over?: Over
    }
  /** The service could not be reached when the page was opened. */
  | { readonly kind: 'UNREACHABLE'; readonly error: ServiceError }

const state = createStore<SessionState>({ kind: 'STARTING' })
export const sessionStore: Readable<SessionState> = state

/** What has to be done while the tokens still work: the phone ends its call, and notes are saved. */
export const beforeSignOut = new Set<() => Promise<void>>()
/** Then the person is signed out in any case. */
const leavingMs = 8_000

/** Whether this tab has a call: it goes on until it is over, although nothing of the service works any more. */
export const hasCall = createStore(false)

export function useSession(): SessionState {
  return useStore(state)
}

/** The signed-in member, for everything below the shell. */
export function useMember(): Member {
  const session = useSession()
  if (session.kind !== 'SIGNED_IN') throw new Error('Nobody is signed in: this component belongs below the shell')
  return session.member
}

/** Null while the sign-in lasts. */
export function useOver(): Over | null {
  const session = useSession()
  return session.kind === 'SIGNED_IN' ? (session.over ?? null) : null
}

/** Goes on with the stored sign-in: when the page opens, and when another tab has signed in. */
export async function resumeSession(): Promise<void> {
  try {
    const member = await service.resume()
    if (!member) leaveFor(readLoss())
    else if (!member.agent || service.agentSession) state.set({ kind: 'SIGNED_IN', member, phone: null })
    else await beginAgentSession(member)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'UNAUTHENTICATED') leaveFor(readLoss() ?? 'EXPIRED')
    // A page that works goes on: its heartbeats and streams say what the session is.
    else if (state.get().kind !== 'SIGNED_IN') state.set({ kind: 'UNREACHABLE', error })
  }
}

/** Throws the ServiceError of a refused sign-in. An agent whose session is elsewhere is signed in as LOCKED. */
export async function signIn(credentials: Credentials): Promise<void> {
  try {
    const { sip, telephony, role, setup, ...member } = await service.signIn(credentials)
    if (role === null) {
      await signOut()
      throw new ServiceError({ code: 'FORBIDDEN', reason: 'ROLE_MISSING', message: 'Your role gives no access to this service' })
    }
    const phone = telephony && { sip, telephony }
    state.set({ kind: 'SIGNED_IN', member: { ...member, role }, phone, isSetupOpen: setup.wizardRequired })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'SESSION_LOCKED') throw error
    await exchangePassword(credentials)
    await resumeSession()
  }
}

/** Starts the member's agent session here, also if they are signed in on another device: only when a person asks for that. */
export function takeOverAgentSession(member: Member): Promise<void> {
  return begin(member, service.startAgentSession({ takeOver: true }))
}

/** Starts the member's agent session, or the one of this browser again. Becomes LOCKED if the agent is signed in on another device. */
export async function beginAgentSession(member: Member): Promise<void> {
  return begin(member, service.restartAgentSession())
}

async function begin(member: Member, starting: Promise<StartedSession>): Promise<void> {
  try {
    const { sip, telephony } = await starting
    const current = state.get()
    const { isSetupOpen = false } = current.kind === 'SIGNED_IN' ? current : {}
    state.set({ kind: 'SIGNED_IN', member, phone: { sip, telephony }, isSetupOpen })
  } catch (error) {
    const holder = error instanceof ServiceError ? holderOf(error) : null
    if (!holder) throw error
    // Another tab of this browser was faster.
    if (holder.lockedAt === sessionBegan(localStorage.getItem(sessionKey))) return resumeSession()
    if (hasCall.get()) leaveFor('TAKEN_OVER')
    else state.set({ kind: 'LOCKED', member, holder })
  }
}

/** The setup is finished, or the person closed the notice. */
export function closeSetupNotice(): void {
  const current = state.get()
  if (current.kind === 'SIGNED_IN' && current.isSetupOpen === true) state.set({ ...current, isSetupOpen: false })
}

function holderOf({ reason, data }: ServiceError): SessionHolder | null {
  if (reason !== 'SESSION_LOCKED') return null
  return { ip: textOf(data?.['ip']), lockedAt: textOf(data?.['lockedAt']), isOwn: data?.['own'] === true }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

let leaving: Promise<void> | null = null

/** Signs out, also if the service cannot be reached. A second press does not sign the next person out. */
export function signOut(): Promise<void> {
  leaving ??= leave().finally(() => {
    leaving = null
  })
  return leaving
}

async function leave(): Promise<void> {
  await Promise.race([
    Promise.allSettled([...beforeSignOut].map((prepare) => prepare())),
    new Promise((resolve) => setTimeout(resolve, leavingMs)),
  ])
  await service.signOut().catch(() => undefined)
  state.set({ kind: 'SIGNED_OUT', loss: null })
}

/** A manager ended the agent session: nothing works here until the next sign-in. */
export async function leaveEndedSession(): Promise<void> {
  await service.signOut().catch(() => undefined)
  state.set({ kind: 'SIGNED_OUT', loss: 'ENDED' })
}

/** The agent session was lost. Another tab of this browser may have renewed it: then this tab follows. */
async function afterLoss({ reason, error }: SessionLost): Promise<void> {
  writeLoss(reason)
  const { kind } = state.get()
  if (kind !== 'SIGNED_IN' && kind !== 'LOCKED') return
  if (reason === 'TAKEN_OVER') {
    if (error.data?.['lockedAt'] !== undefined) await storeSettled()
    // On another device, it ended the sign-in of this one.
    if (await service.resume()) return resumeSession()
  }
  leaveFor(reason)
}

/** The sign-in is over. A call that this tab has stays, because nothing else has its sound; only then the tab is signed out. */
function leaveFor(loss: Loss): void {
  const current = state.get()
  if (current.kind !== 'SIGNED_IN' || !hasCall.get()) return state.set({ kind: 'SIGNED_OUT', loss })
  state.set({ ...current, over: { loss: loss ?? current.over?.loss ?? null } })
  if (!current.over) void callOver().then(afterCall)
}

function afterCall(): void {
  const current = state.get()
  state.set({ kind: 'SIGNED_OUT', loss: current.kind === 'SIGNED_IN' ? (current.over?.loss ?? null) : null })
  // Meanwhile the person may have begun the next session, in another tab.
  if (sessionBegan(localStorage.getItem(sessionKey)) !== null) void resumeSession()
}

function callOver(): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (hasCall.get()) return
      leave()
      resolve()
    }
    const leave = hasCall.subscribe(check)
    check()
  })
}

/** The tab that took over stores its session when it has the answer. */
function storeSettled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000))
}

/** Another tab signed in, signed out or began a new agent session. */
function followOtherTabs({ key, oldValue, newValue }: StorageEvent): void {
  if (key === lossKey) return sayLoss()
  if (key !== sessionKey && key !== null) return
  const current = state.get()
  if (current.kind === 'SIGNED_IN' && current.over) return
  if (newValue === null) signOutHere()
  else if (current.kind === 'SIGNED_OUT' || current.kind === 'LOCKED' || sessionBegan(oldValue) !== sessionBegan(newValue))
    void resumeSession()
}

/** Another tab knows why the sign-in is over. */
function sayLoss(): void {
  const [current, loss] = [state.get(), readLoss()]
  // ENDED may be this tab's own sign-out.
  if (loss === null || loss === 'ENDED') return
  if (current.kind === 'SIGNED_OUT') state.set({ ...current, loss })
  else if (current.kind === 'SIGNED_IN' && current.over) state.set({ ...current, over: { loss } })
}

/** The tokens are gone: this tab has nothing left to end. */
function signOutHere(): void {
  if (state.get().kind === 'SIGNED_OUT') return
  void service.resume().finally(() => leaveFor(readLoss()))
}

function sessionBegan(saved: string | null): string | null {
  return /"lockedAt":"([^"]*)"/.exec(saved ?? '')?.[1] ?? null
}

/** What belongs to a sign-in and not to all tabs is in the tab's storage. */
state.subscribe(() => {
  const current = state.get()
  if (current.kind === 'SIGNED_OUT') sessionStorage.clear()
  else if (current.kind === 'LOCKED' || (current.kind === 'SIGNED_IN' && !current.over)) writeLoss(null)
})
service.onSessionLost((lost) => void afterLoss(lost).catch(() => leaveFor(lost.reason)))
addEventListener('storage', followOtherTabs)
