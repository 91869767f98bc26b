import type { Member } from '@call-center-sidecar/client'
import { useMemo } from 'react'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { defineLive, useLive, withEntry } from '../data/live.ts'
import type { AgentPresence } from '../data/agent-states.ts'
import { useMember } from '../session/session.ts'
import { useStore } from '../state/store.ts'
import { useOwnPresence } from './agent-state.ts'
import { type PhoneOver, phoneOver } from './phone-over.ts'

export const callFields = graphql(`
  fragment CallFields on LiveCall {
    id
    ucid
    phase
    direction
    phoneNumber
    dialledNumber
    did
    campaignName
    agentId
    providerAgentId
    leadId
    startedAt
    answeredAt
    endedAt
    disposition
    actions
    controls {
      id
      held
      muted
      recordingPaused
      parties
    }
    transfer {
      id
      status
      to
    }
  }
`)
export type Call = ResultOf<typeof callFields>

const callEvents = graphql(
  `
    subscription CallEvents {
      callEvents {
        id
        call {
          ...CallFields
        }
      }
    }
  `,
  [callFields],
)

/** How many calls a sitting remembers: those of a manager are the whole workspace's. */
const maxCalls = 200

/** Calls as they ring, are answered and end, by their UCID; the newest last. */
const callsLive = defineLive(callEvents, {
  initial: noCalls(),
  reduce(calls, { callEvents: { call } }) {
    const known = withEntry(calls, call.ucid, call)
    return known.size > maxCalls ? new Map([...known].slice(-maxCalls)) : known
  },
})

function noCalls(): ReadonlyMap<string, Call> {
  return new Map()
}

/** The signed-in agent's calls of this sitting, the newest first. `isKnown`: those in progress have been read. */
export function useOwnCalls(): { readonly calls: readonly Call[]; readonly isKnown: boolean } {
  const { agent } = useMember()
  const { state, isCurrent } = useLive(callsLive)
  const presence = useOwnPresence()
  const over = useStore(phoneOver)
  return useMemo(() => {
    // The newest first, also of those that began in the same second.
    const own = [...state.values()].filter((call) => isOwn(call, agent)).toReversed()
    const calls = own.toSorted((a, b) => startOf(b) - startOf(a)).map((call) => withLostEnd(call, { presence, over }))
    return { calls, isKnown: isCurrent }
  }, [state, isCurrent, agent, presence, over])
}

type Evidence = { readonly presence: AgentPresence | null; readonly over: PhoneOver | null }

/** The times of reports may be the provider's or ours. */
const clocksDifferMs = 10_000

/** The provider's report that the call is over may be lost. For the agent it is, if they do something else since, or if their phone has it no more. */
function withLostEnd(call: Call, { presence, over }: Evidence): Call {
  if (!isInProgress(call) || call.controls.parties.length > 0) return call
  const { answeredAt, providerAgentId } = call
  // Calls of the second provider are no part of the agent's state.
  const isLater = (since: string): boolean =>
    answeredAt !== null && providerAgentId !== null && Date.parse(since) > Date.parse(answeredAt) + clocksDifferMs
  if (presence && presence.state !== 'ON_CALL' && isLater(presence.since)) return { ...call, phase: 'COMPLETED', endedAt: presence.since }
  // A phone that rang in vain: somebody may have answered elsewhere.
  const isOver = over?.ucid === call.ucid && (over.wasAnswered || answeredAt === null)
  return isOver ? { ...call, phase: answeredAt === null ? 'MISSED' : 'COMPLETED', endedAt: new Date(over.at).toISOString() } : call
}

/** Calls of the second provider have only the agent's record. */
export function isOwn({ agentId, providerAgentId }: Call, agent: Member['agent']): boolean {
  return agent !== null && (agentId === agent.id || (providerAgentId !== null && providerAgentId === agent.providerAgentId))
}

function startOf({ startedAt }: Call): number {
  return startedAt === null ? 0 : Date.parse(startedAt)
}

/** The agent left a call that was transferred: it goes on without them. */
export function isInProgress({ phase, transfer }: Pick<Call, 'phase' | 'transfer'>): boolean {
  return (phase === 'RINGING' || phase === 'ANSWERED') && transfer?.status !== 'COMPLETED'
}

/** Whether the call is over, or at somebody else, as far as the service has said. Not while the page has no connection to it. */
export function isOverFor(ucid: string, agent: Member['agent']): boolean {
  const { state, isCurrent } = callsLive.get()
  const call = state.get(ucid)
  return isCurrent && !(call && isInProgress(call) && isOwn(call, agent))
}

/** The call that rings or goes on at the agent now. */
export function useCallInProgress(): Call | null {
  return useOwnCalls().calls.find(isInProgress) ?? null
}

/** The call in progress, if it is the one that the phone has under this number. */
export function useCallOfNumber(number: string): Call | null {
  const call = useCallInProgress()
  // A SIP server may write the country code in another way.
  const known = call?.phoneNumber ?? call?.dialledNumber ?? ''
  return number !== '' && known.endsWith(number.slice(-9)) ? call : null
}
