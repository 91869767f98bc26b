import { z } from 'zod'
import { pageSize } from '../../kernel/input.ts'

export const teamRoles = ['MANAGER', 'USER'] as const
export type TeamRole = (typeof teamRoles)[number]

const noControls = (text: string): boolean => !/\p{Cc}/u.test(text)
const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`)
    .refine(noControls, 'must have no control characters')
const secret = z
  .string()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine(noControls, 'must have no control characters')

/** What an agent works with; the passwords go into our own store, sealed. What is left out (or null) stays as it is. */
const agentInput = z.strictObject({
  sipExtension: z
    .string()
    .trim()
    .regex(/^[\w.+-]{1,64}$/, 'must have 1 to 64 letters, digits, or any of . + - _')
    .nullish(),
  sipPassword: secret.nullish(),
  providerAgentId: line(100).nullish(),
  providerAgentPassword: secret.nullish(),
  campaignName: line(100).nullish(),
})
export type AgentInput = z.output<typeof agentInput>

const email = z.string().trim().toLowerCase().max(254, 'is too long for an e-mail address').pipe(z.email('must be an e-mail address'))

export const newMemberInput = z.strictObject({
  email,
  firstName: line(100),
  lastName: line(100),
  role: z.enum(teamRoles),
  agent: agentInput.nullish(),
})
export type NewMember = z.output<typeof newMemberInput>

export const memberChangeInput = z.strictObject({
  firstName: line(100).nullish(),
  lastName: line(100).nullish(),
  role: z.enum(teamRoles).nullish(),
  agent: agentInput.nullish(),
})
export type MemberChange = z.output<typeof memberChangeInput>

export const pageInput = z.strictObject({
  first: pageSize(100),
  after: z.string().max(2_000, 'is too long for a cursor').nullish(),
  search: z.string().trim().max(200, 'must have at most 200 characters').nullish(),
})
