import { z } from 'zod'
import type { ApiKeyLimit } from './api-key-limit.ts'
import { membershipOf } from './callers.ts'
import type { JsonObject } from './json.ts'
import { removeMember, roleByLabel, setRole, userByEmail } from './members.ts'
import { hashPassword } from './passwords.ts'
import { wholeRecord } from './record-shape.ts'
import { seedAgents, seedLoad } from './seed-load.ts'
import type { Membership } from './state.ts'
import { type Lifetimes, type TokenType, tokenTypes } from './tokens.ts'
import { type Version, versions } from './workspace-model.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

/** Commands for tests and the sandbox that change the platform's state: in process, or as `POST /_sandbox/<name>` with the same fields in JSON. */
export interface PlatformCommands {
  /** The API key of a seeded workspace. */
  apiKeyOf(workspace: string): string
  workspaceIdOf(workspace: string): string
  /** `expire-tokens`: all that exist of these types expire; of every type but API keys when left out. */
  expireTokens(types?: readonly TokenType[]): void
  /** `set-lifetimes`: for tokens issued from now on; the grace applies at once. */
  setLifetimes(lifetimes: Partial<Lifetimes>): void
  /** `set-version`: everything as at first, in that version of the platform with its quirks. */
  setVersion(version: Version): Promise<void>
  /** `set-api-key-limit`: record operations per minute and workspace. */
  setApiKeyLimit(maximum: number): void
  /** `set-role`: gives a member another role, by its label. */
  setRole(member: { workspace: string; email: string; role: string }): void
  /** `set-password`: as by the link that the platform mails. */
  setPassword(account: { email: string; password: string }): void
  /** `remove-member` */
  removeMember(member: { workspace: string; email: string }): void
  /** `records`: the records that a filter finds, whole, soft-deleted ones only by a filter that names `deletedAt`. */
  records(workspace: string, object: string, filter?: JsonObject): readonly JsonObject[]
  /** `seed`: adds so many leads and calls, for load. */
  seed(workspace: string, count: { leads?: number; calls?: number }): void
  /** `seed-agents`: adds so many members with an agent record each, for load. */
  seedAgents(workspace: string, count: number): void
  /** `reset`: everything as it was at first; all tokens and ids are new. */
  reset(): Promise<void>
}

type RemoteCommands = Readonly<Record<string, (input: unknown) => unknown>>

export function commandsOf(
  world: () => World,
  limit: ApiKeyLimit,
  reset: (version: Version) => Promise<void>,
): { local: PlatformCommands; remote: RemoteCommands } {
  const workspaceOf = (subdomain: string): LiveWorkspace => {
    const workspace = world().workspaceBySubdomain(subdomain)
    if (!workspace) throw new Error(`no workspace ${subdomain}`)
    return workspace
  }
  const membershipOfEmail = (workspace: LiveWorkspace, email: string): Membership => {
    const user = userByEmail(world(), email)
    const membership = user && membershipOf(world(), user.id, workspace.id)
    if (!membership) throw new Error(`${email} is no member`)
    return membership
  }

  const local: PlatformCommands = {
    apiKeyOf(workspace) {
      const key = world().state.texts.get(`apiKey:${workspace}`)
      if (key === undefined) throw new Error(`no API key of ${workspace}`)
      return key
    },
    workspaceIdOf: (workspace) => workspaceOf(workspace).id,
    expireTokens: (types = tokenTypes.filter((type) => type !== 'API_KEY')) => world().tokens.expire(types),
    setLifetimes: (lifetimes) => void Object.assign(world().tokens.lifetimes, lifetimes),
    setVersion: reset,
    setApiKeyLimit: (maximum) => void (limit.maximum = maximum),
    setRole({ workspace, email, role }) {
      const found = roleByLabel(world(), workspaceOf(workspace).id, role)
      if (!found) throw new Error(`no role ${role}`)
      setRole(world(), membershipOfEmail(workspaceOf(workspace), email), found.id)
    },
    setPassword({ email, password }) {
      const user = userByEmail(world(), email)
      if (!user) throw new Error(`nobody has ${email}`)
      world().state.users.set(user.id, { ...user, passwordHash: hashPassword(password) })
    },
    removeMember({ workspace, email }) {
      removeMember(world(), workspaceOf(workspace), membershipOfEmail(workspaceOf(workspace), email))
    },
    records(workspace, object, filter = {}) {
      const { model, records } = workspaceOf(workspace)
      const known = model.knownObject(object)
      return records.find(known, filter).map((record) => wholeRecord(model, known, record))
    },
    seed: (workspace, count) => seedLoad(workspaceOf(workspace), count, world().clock.now()),
    seedAgents: (workspace, count) => seedAgents(world(), workspaceOf(workspace), count),
    reset: () => reset(world().version),
  }
  return { local, remote: remoteOf(local) }
}

const member = z.object({ workspace: z.string(), email: z.string() })
const milliseconds = z.number().nonnegative().exactOptional()
const lifetimes = z.strictObject({ loginMs: milliseconds, accessMs: milliseconds, refreshMs: milliseconds, refreshGraceMs: milliseconds })
const count = z.int().nonnegative().exactOptional()

function remoteOf(local: PlatformCommands): RemoteCommands {
  return {
    'api-key': (input) => local.apiKeyOf(z.object({ workspace: z.string() }).parse(input).workspace),
    'expire-tokens': (input) => local.expireTokens(z.object({ types: z.array(z.enum(tokenTypes)).optional() }).parse(input ?? {}).types),
    'set-lifetimes': (input) => local.setLifetimes(lifetimes.parse(input)),
    'set-version': (input) => local.setVersion(z.object({ version: z.enum(versions) }).parse(input).version),
    'set-api-key-limit': (input) => local.setApiKeyLimit(z.object({ maximum: z.int().positive() }).parse(input).maximum),
    'set-role': (input) => local.setRole(member.extend({ role: z.string() }).parse(input)),
    'set-password': (input) => local.setPassword(z.object({ email: z.string(), password: z.string() }).parse(input)),
    'remove-member': (input) => local.removeMember(member.parse(input)),
    records(input) {
      const form = z.object({ workspace: z.string(), object: z.string(), filter: z.looseObject({}).optional() })
      const { workspace, object, filter } = form.parse(input)
      return local.records(workspace, object, filter)
    },
    seed(input) {
      const { workspace, ...counts } = z.object({ workspace: z.string(), leads: count, calls: count }).parse(input)
      local.seed(workspace, counts)
    },
    'seed-agents': (input) => {
      const { workspace, count } = z.object({ workspace: z.string(), count: z.int().positive() }).parse(input)
      local.seedAgents(workspace, count)
    },
    reset: () => local.reset(),
  }
}
