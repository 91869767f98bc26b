import { AppError } from '../../kernel/errors.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import type { Ports } from '../../ports/ports.ts'
import { adviceIfUntested, type Check, type ConnectionTestScope } from '../configuration/connection-test.ts'
import { type PlanItem, planProvisioning } from './provisioning-plan.ts'
import { requiredModel } from './required-model.ts'

type TestPorts = Pick<Ports, 'workspaces' | 'dataModel' | 'workspaceFacts' | 'installedRoles'> & {
  /** The root fields of the local schema. */
  readonly ownRootFields: readonly string[]
}

/** Tests the workspace with the manager's own rights, and whether the API key belongs to it. */
export async function testPlatformConnection(
  ports: TestPorts,
  section: PlatformSection,
  scope: ConnectionTestScope,
): Promise<readonly Check[]> {
  const checks = [checkApiKey, checkModel, checkRoles, checkRootFields, checkPasswords]
  return Promise.all(checks.map((check) => check(ports, section, scope)))
}

type Finding = Pick<Check, 'ok' | 'found' | 'advice'>

function checkApiKey({ workspaces }: TestPorts, { apiKey }: PlatformSection, { workspaceId }: ConnectionTestScope): Promise<Check> {
  return toCheck({ name: 'platform.apiKey', tried: 'Asked the platform which workspace the API key belongs to' }, async () => {
    if (apiKey === null) {
      const advice = 'Create one on the platform and set it here: insights, callbacks and the widget need it'
      return { ok: false, found: 'No API key is set', advice }
    }
    const owner = await workspaces.ownerOfApiKey(apiKey)
    if (owner === workspaceId) return { ok: true, found: 'It belongs to this workspace', advice: null }
    const found = owner === null ? 'The platform refuses the key' : 'It belongs to another workspace'
    return { ok: false, found, advice: 'Create a key in this workspace and set it here' }
  })
}

function checkModel(
  { dataModel, installedRoles }: TestPorts,
  section: PlatformSection,
  { accessToken }: ConnectionTestScope,
): Promise<Check> {
  return toCheck({ name: 'platform.objects', tried: 'Compared objects and fields with those that the service uses' }, async () => {
    const plan = planProvisioning(requiredModel(section, installedRoles), { objects: await dataModel.objects(accessToken), roles: [] })
    return missingOf(
      plan.filter(({ kind }) => kind !== 'ROLE'),
      'Every object and field exists',
    )
  })
}

function checkRoles(
  { dataModel, installedRoles }: TestPorts,
  section: PlatformSection,
  { accessToken }: ConnectionTestScope,
): Promise<Check> {
  return toCheck({ name: 'platform.roles', tried: 'Checked whether both roles exist' }, async () => {
    const plan = planProvisioning(requiredModel(section, installedRoles), { objects: [], roles: await dataModel.roles(accessToken) })
    const roles = plan.filter(({ kind }) => kind === 'ROLE')
    const finding = missingOf(roles, `${roles.map(({ name }) => name).join(' and ')} exist`)
    const user = plan.find((item) => item.kind === 'ROLE' && item.role.kind === 'USER')?.name ?? ''
    if (!finding.ok || !(await mayChangeAgents(dataModel, section, { accessToken, user }))) return finding
    const found = `${finding.found}. ${user} may change agent records: such a member can take another agent's calls and session`
    return { ok: true, found, advice: `Let ${user} only see agent records: on the platform, Settings, Roles, ${user}, Objects` }
  })
}

type Holder = { readonly accessToken: string; readonly user: string }

/** False if the platform does not say it: older versions have no rights for single objects. */
async function mayChangeAgents(dataModel: TestPorts['dataModel'], { objects }: PlatformSection, { accessToken, user }: Holder) {
  try {
    const agents = (await dataModel.objects(accessToken)).find(({ singular }) => singular === objects.agent.singular)
    return agents !== undefined && (await dataModel.mayChangeRecords(accessToken, { objectId: agents.id, roleLabel: user }))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

function checkRootFields(
  { workspaceFacts, ownRootFields }: TestPorts,
  _section: PlatformSection,
  { accessToken }: ConnectionTestScope,
): Promise<Check> {
  return toCheck(
    { name: 'platform.rootFields', tried: "Compared the names of the service's own fields with those of the workspace" },
    async () => {
      const theirs = new Set(await workspaceFacts.rootFields(accessToken))
      const same = ownRootFields.filter((name) => theirs.has(name))
      if (same.length === 0) return { ok: true, found: 'No name is used twice', advice: null }
      const found = `Both have ${same.join(', ')}; the service's own fields win`
      return { ok: true, found, advice: 'Rename the objects on the platform if their fields are needed' }
    },
  )
}

function checkPasswords({ workspaceFacts }: TestPorts, section: PlatformSection, { accessToken }: ConnectionTestScope): Promise<Check> {
  return toCheck({ name: 'platform.passwords', tried: 'Checked whether agent records contain passwords' }, async () => {
    const fields = await workspaceFacts.readablePasswords(accessToken, section)
    if (fields.length === 0) return { ok: true, found: 'None', advice: null }
    const found = `${fields.join(' and ')} of agent records can be read by everybody who may read agents`
    return { ok: true, found, advice: 'Set the passwords on the team page, which seals them, and empty the fields on the platform' }
  })
}

function missingOf(items: readonly PlanItem[], complete: string): Finding {
  const lacking = items.filter(({ state }) => state !== 'EXISTS')
  if (lacking.length === 0) return { ok: true, found: complete, advice: null }
  const found = lacking
    .map(({ name, state, detail }) => (state === 'MISSING' ? `${name} is missing` : `${name} ${detail ?? ''}`))
    .join('; ')
  return { ok: false, found, advice: 'Let the service create what is missing (provision), or set the names that this workspace uses' }
}

async function toCheck(facts: Pick<Check, 'name' | 'tried'>, find: () => Promise<Finding>): Promise<Check> {
  try {
    return { ...facts, ...(await find()) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const advice = adviceIfUntested(error, 'the platform') ?? 'Try again as a manager who may see the data model and the roles'
    return { ...facts, ok: false, found: error.message, advice }
  }
}
