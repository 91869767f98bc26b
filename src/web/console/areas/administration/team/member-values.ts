import type { TeamMember } from './members.ts'

/** What the form holds. The passwords of a member who exists are empty: they cannot be read. */
export type MemberValues = {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly role: 'MANAGER' | 'USER'
  readonly takesCalls: boolean
  readonly agent: AgentValues
}
export const agentFields = ['providerAgentId', 'providerAgentPassword', 'sipExtension', 'sipPassword', 'campaignName'] as const
export type AgentField = (typeof agentFields)[number]
export type AgentValues = Readonly<Record<AgentField, string>>

const noAgent: AgentValues = { providerAgentId: '', providerAgentPassword: '', sipExtension: '', sipPassword: '', campaignName: '' }
export const newMember: MemberValues = { firstName: '', lastName: '', email: '', role: 'USER', takesCalls: true, agent: noAgent }

export function valuesOf({ firstName, lastName, email, role, agentId, agent }: TeamMember): MemberValues {
  const { providerAgentId, sipExtension, campaignName } = agent ?? {}
  return {
    firstName,
    lastName,
    email,
    role: role ?? 'USER',
    takesCalls: agentId !== null,
    agent: {
      ...noAgent,
      providerAgentId: providerAgentId ?? '',
      sipExtension: sipExtension ?? '',
      campaignName: campaignName ?? '',
    },
  }
}

export function isComplete({ firstName, lastName, email }: MemberValues): boolean {
  return [firstName, lastName, email].every((value) => value.trim() !== '')
}

/** What the person made empty: the service has no way to remove it. */
export function emptiedIn(before: MemberValues, after: MemberValues): readonly AgentField[] {
  return agentFields.filter((name) => before.agent[name] !== '' && after.agent[name].trim() === '')
}

/** What is empty is left out: the service has no values that are blank. */
export function inputOf({ firstName, lastName, email, role, takesCalls, agent }: MemberValues) {
  return { email: email.trim(), firstName, lastName, role, ...(takesCalls && { agent: filled(agent) }) }
}

/** Only what the person changed. */
export function changeOf(before: MemberValues, after: MemberValues, { hasRole }: { readonly hasRole: boolean }) {
  const isChanged = (name: AgentField): boolean => after.agent[name] !== before.agent[name]
  const changed = filled(Object.fromEntries(agentFields.filter(isChanged).map((name) => [name, after.agent[name]])))
  return {
    ...(after.firstName !== before.firstName && { firstName: after.firstName }),
    ...(after.lastName !== before.lastName && { lastName: after.lastName }),
    ...((after.role !== before.role || !hasRole) && { role: after.role }),
    ...(after.takesCalls && (!before.takesCalls || Object.keys(changed).length > 0) && { agent: changed }),
  }
}

function filled(values: Partial<AgentValues>): Partial<AgentValues> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
