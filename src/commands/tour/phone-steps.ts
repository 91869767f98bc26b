import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Api, read } from './api.ts'
import { poll } from './poll.ts'
import type { TourLead } from './platform-steps.ts'
import type { Outside } from './sandbox.ts'
import type { SignIn } from './session-steps.ts'
import { clockTime, type StepResult } from './step-result.ts'

/** The agent at the phone, and the simulation of the caller. */
export type Phone = { readonly api: Api; readonly agent: SignIn; readonly outside: Outside; readonly lead: TourLead }

/** The provider's events have whole seconds, so each step of a call takes longer than one second, as with real people. */
const aMoment = (): Promise<void> => pause(1_200)

const popSchema = z.object({
  match: z.string(),
  lead: z.object({ name: z.string() }).nullable(),
  call: z.object({ ucid: z.string(), phase: z.string(), talkSeconds: z.number().nullable() }).nullable(),
})

export async function agentIsReady({ api, agent }: Phone): Promise<StepResult> {
  const answer = await api.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state: 'READY' } })
  const { state, since } = read(answer, 200, z.object({ state: z.string(), since: z.string() }))
  return { summary: `${state} since ${clockTime(since)}`, value: undefined }
}

export async function callRings(phone: Phone): Promise<StepResult<string>> {
  const { outside, lead, agent } = phone
  await aMoment()
  const { ucid, did } = await outside.begins({ from: lead.phoneNumber, agentId: agent.agent?.providerAgentId })
  const pop = await callIs(phone, ucid, 'RINGING')
  return {
    summary: `${pop.lead?.name ?? `${pop.match} leads`} calls ${did}`,
    facts: { call: ucid, 'on screen': `${pop.call?.phase ?? ''}, ${pop.lead?.name ?? 'who is not known'}` },
    value: ucid,
  }
}

export async function callIsTaken(phone: Phone, ucid: string): Promise<StepResult> {
  await aMoment()
  await phone.outside.goesOn('answer', ucid)
  await callIs(phone, ucid, 'ANSWERED')
  await aMoment()
  await phone.outside.goesOn('hangUp', ucid)
  const { call } = await callIs(phone, ucid, 'COMPLETED')
  return { summary: `answered, and ended by the caller after ${call?.talkSeconds ?? 0} s`, value: undefined }
}

function callIs({ api, agent }: Phone, ucid: string, phase: string): Promise<z.output<typeof popSchema>> {
  return poll(`call ${ucid} to be ${phase}`, async () => {
    const pop = read(await api.rest('GET', '/api/calls/current', { token: agent.token }), 200, popSchema.nullable())
    return pop?.call?.ucid === ucid && pop.call.phase === phase ? pop : null
  })
}

const missedSchema = z.array(z.object({ ucid: z.string(), at: z.string(), calledBackAt: z.string().nullable() }))

export async function callIsMissed(phone: Phone): Promise<StepResult<string>> {
  await aMoment()
  const { ucid } = await phone.outside.begins({ from: phone.lead.phoneNumber, agentId: phone.agent.agent?.providerAgentId })
  await callIs(phone, ucid, 'RINGING')
  await aMoment()
  await phone.outside.goesOn('hangUp', ucid)
  const { at } = await missedCall(phone, ucid, () => true)
  return { summary: `${phone.lead.name} gave up at ${clockTime(at)} and waits to be called back`, facts: { call: ucid }, value: ucid }
}

export async function callerIsCalledBack(phone: Phone, missed: string): Promise<StepResult<string>> {
  const { api, agent, lead } = phone
  await aMoment()
  const body = { phoneNumber: lead.phoneNumber, leadId: lead.id, via: 'TELEPHONY' }
  const { ucid, provider } = read(
    await api.rest('POST', '/api/calls/dial', { token: agent.token, body }),
    200,
    z.object({ ucid: z.string(), provider: z.string() }),
  )
  const { calledBackAt } = await missedCall(phone, missed, (call) => call.calledBackAt !== null)
  await aMoment()
  const hangUp = await api.rest('POST', `/api/calls/${encodeURIComponent(ucid)}/control`, {
    token: agent.token,
    body: { action: 'HANG_UP' },
  })
  read(hangUp, 200, z.object({ ucid: z.string() }))
  await callHasEnded(phone, ucid)
  return {
    summary: `${lead.name} was reached through ${provider} at ${clockTime(calledBackAt ?? '')}; the missed call waits no more`,
    facts: { call: ucid },
    value: ucid,
  }
}

/** Reads the call by its id, because the screen may already show another call. */
function callHasEnded({ api, agent }: Phone, ucid: string): Promise<unknown> {
  return poll(`call ${ucid} to end`, async () => {
    const { call } = read(await api.rest('POST', '/api/calls/lookup?enrich=false', { token: agent.token, body: { ucid } }), 200, popSchema)
    return call?.phase === 'COMPLETED' ? call : null
  })
}

type MissedCall = z.output<typeof missedSchema>[number]

function missedCall({ api, agent }: Phone, ucid: string, isSo: (call: MissedCall) => boolean): Promise<MissedCall> {
  return poll(`missed call ${ucid}`, async () => {
    const calls = read(await api.rest('GET', '/api/calls/missed?waitingOnly=false', { token: agent.token }), 200, missedSchema)
    return calls.find((call) => call.ucid === ucid && isSo(call)) ?? null
  })
}
