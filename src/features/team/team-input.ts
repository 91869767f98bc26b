import { z } from 'zod'
import { emailInput, lineInput } from '../../kernel/input.ts'
import { agentRecord } from '../../ports/records/agent.ts'
import { inputSchemas } from '../../ports/records/record.ts'

export const teamRoles = ['MANAGER', 'USER'] as const
export type TeamRole = (typeof teamRoles)[number]

/** An agent's settings. The passwords are sealed in our own store. What is left out or null does not change. */
const agentInput = z.strictObject(inputSchemas(agentRecord))
export type AgentInput = z.output<typeof agentInput>

export const newMemberInput = z.strictObject({
  email: emailInput,
  firstName: lineInput,
  lastName: lineInput,
  role: z.enum(teamRoles),
  agent: agentInput.nullish(),
})
export type NewMember = z.output<typeof newMemberInput>

export const memberChangeInput = z.strictObject({
  firstName: lineInput.nullish(),
  lastName: lineInput.nullish(),
  role: z.enum(teamRoles).nullish(),
  agent: agentInput.nullish(),
})
export type MemberChange = z.output<typeof memberChangeInput>
