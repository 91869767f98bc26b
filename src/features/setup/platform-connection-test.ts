import type { DataModel } from '../../ports/data-model.ts'
import { type PlanItem, planProvisioning } from './provisioning-plan.ts'
import { requiredModel } from './required-model.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import type { SeedingOptions } from '../configuration/seeding.ts'
import type { Check, ConnectionTest, ConnectionTestScope } from '../configuration/connection-test.ts'

export type PlatformConnectionTestOptions = {
  readonly ownerOfApiKey: SeedingOptions['ownerOfApiKey']
  readonly model: DataModel
  /** Names of the workspace's own root fields, of queries and mutations. */
  readonly rootFields: (accessToken: string) => Promise<readonly string[]>
  /** Ours, by the local schema. */
  readonly ownRootFields: () => readonly string[]
  /** Which of the password fields hold something on any agent record, by their names on the platform. */
  readonly readablePasswords: (accessToken: string, section: PlatformSection) => Promise<readonly string[]>
}

/** Looks at the workspace with the manager's own rights, and whether the API key belongs to it. */
export function createPlatformConnectionTest(options: PlatformConnectionTestOptions): ConnectionTest<'platform'> {
  return async (section, scope) => {
    const looks = [tryApiKey, tryModel, tryRoles, tryRootFields, tryPasswords]
    return Promise.all(looks.map((look) => look(section, scope, options)))
  }
}

type Look = (section: PlatformSection, scope: ConnectionTestScope, options: PlatformConnectionTestOptions) => Promise<Check>
type Facts = Pick<Check, 'name' | 'tried'>
type Finding = Pick<Check, 'ok' | 'found' | 'advice'>

const tryApiKey: Look = ({ apiKey }, { workspaceId }, { ownerOfApiKey }) =>
  check({ name: 'platform.apiKey', tried: 'Asked the platform which workspace the API key belongs to' }, async () => {
    if (apiKey === null)
      return {
        ok: false,
        found: 'No API key is set',
        advice: 'Make one on the platform and set it here: insights, callbacks and the widget need it',
      }
    const owner = await ownerOfApiKey(apiKey)
    if (owner === workspaceId) return { ok: true, found: 'It belongs to this workspace', advice: null }
    const found = owner === null ? 'The platform does not take the key' : 'It belongs to another workspace'
    return { ok: false, found, advice: 'Make a key in this workspace and set it here' }
  })

const tryModel: Look = (section, { accessToken }, { model }) =>
  check({ name: 'platform.objects', tried: 'Compared objects and fields with those that the service uses' }, async () => {
    const plan = planProvisioning(requiredModel(section), { objects: await model.objects(accessToken), roles: [] })
    return missingOf(
      plan.filter(({ kind }) => kind !== 'ROLE'),
      'Every object and field is there',
    )
  })

const tryRoles: Look = (section, { accessToken }, { model }) =>
  check({ name: 'platform.roles', tried: 'Looked for the two roles by their names' }, async () => {
    const plan = planProvisioning(requiredModel(section), { objects: [], roles: await model.roles(accessToken) })
    return missingOf(
      plan.filter(({ kind }) => kind === 'ROLE'),
      'Both are there',
    )
  })

const tryRootFields: Look = (_section, { accessToken }, { rootFields, ownRootFields }) =>
  check({ name: 'platform.rootFields', tried: "Compared the names of the service's own fields with those of the workspace" }, async () => {
    const theirs = new Set(await rootFields(accessToken))
    const same = ownRootFields().filter((name) => theirs.has(name))
    if (same.length === 0) return { ok: true, found: 'No name stands twice', advice: null }
    return {
      ok: true,
      found: `Both have ${same.join(', ')}; the service's own win`,
      advice: 'Give the objects on the platform other names, where their fields are needed',
    }
  })

const tryPasswords: Look = (section, { accessToken }, { readablePasswords }) =>
  check({ name: 'platform.passwords', tried: 'Looked whether passwords stand on agent records' }, async () => {
    const fields = await readablePasswords(accessToken, section)
    if (fields.length === 0) return { ok: true, found: 'None', advice: null }
    const found = `${fields.join(' and ')} on agent records can be read by everybody who may read agents`
    return {
      ok: true,
      found,
      advice: 'Set the passwords through the team page, which keeps them sealed, and empty the fields on the platform',
    }
  })

function missingOf(items: readonly PlanItem[], well: string): Finding {
  const lacking = items.filter(({ state }) => state !== 'EXISTS')
  if (lacking.length === 0) return { ok: true, found: well, advice: null }
  const found = lacking
    .map(({ name, state, detail }) => (state === 'MISSING' ? `${name} is missing` : `${name} ${detail ?? ''}`))
    .join('; ')
  return { ok: false, found, advice: 'Let the service make what is missing (provision), or set the names that this workspace uses' }
}

async function check(facts: Facts, look: () => Promise<Finding>): Promise<Check> {
  try {
    return { ...facts, ...(await look()) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, ok: false, found: error.message, advice: 'Try again as a manager who may see the data model and the roles' }
  }
}
