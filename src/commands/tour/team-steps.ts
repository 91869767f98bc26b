import { z } from 'zod'
import { type Api, read } from './api.ts'
import { type Account, logIn, signInOf } from './session-steps.ts'
import type { StepResult } from './step-result.ts'

const manager: Account = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
const memberSchema = z.object({ member: z.object({ id: z.string(), agentId: z.string().nullable() }) })
const passwordSchema = z.object({ password: z.string(), expiresAt: z.string() })

/** A member that the tour created, with the token of the manager. */
export type NewColleague = { readonly id: string; readonly account: Account; readonly managerToken: string }

/** The sandbox's manager creates a member with an agent record. No e-mail is sent. */
export async function colleagueIsMade(api: Api): Promise<StepResult<NewColleague>> {
  const managerToken = signInOf(await logIn(api, manager), manager).token
  const stamp = Date.now().toString(36)
  const email = `tour-${stamp}@demo.example`
  const body = {
    email,
    firstName: 'Tara',
    lastName: 'Tour',
    role: 'USER',
    agent: { sipExtension: `tour-${stamp}`, sipPassword: `sip-${stamp}` },
  }
  const { member } = read(await api.rest('POST', '/api/team/members', { token: managerToken, body }), 200, memberSchema)
  const path = `/api/team/members/${member.id}/temporary-password`
  const { password, expiresAt } = read(await api.rest('GET', path, { token: managerToken }), 200, passwordSchema)
  return {
    summary: `${email} is a member with the agent record ${member.agentId ?? '(none)'}`,
    facts: { password: `${password.length} characters, for the manager to hand over; until ${expiresAt.slice(0, 10)}` },
    value: { id: member.id, account: { email, password, workspace: 'demo' }, managerToken },
  }
}

export async function colleagueSignsIn(api: Api, { account }: NewColleague): Promise<StepResult> {
  const { role, sip } = signInOf(await logIn(api, account), account)
  return {
    summary: `${account.email} is ${role ?? 'nobody'} with the temporary password`,
    facts: { phone: sip?.uri ?? null },
    value: undefined,
  }
}

export async function colleagueLeaves(api: Api, { id, account, managerToken }: NewColleague): Promise<StepResult> {
  const removed = await api.rest('DELETE', `/api/team/members/${id}`, { token: managerToken })
  const { sessionEnded } = read(removed, 200, z.object({ sessionEnded: z.boolean() }))
  return { summary: `${account.email} is removed${sessionEnded ? ', and the session was ended with it' : ''}`, value: undefined }
}
