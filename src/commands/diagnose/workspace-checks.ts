import { newId } from '../../kernel/ids.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import { readLiveEvents } from '../../features/calls/live-events/read-live-events.ts'
import type { Check as TestedPart } from '../../features/configuration/connection-test.ts'
import { testAiConnection } from '../../features/configuration/connection-tests/ai.ts'
import { testTelephonyConnection } from '../../features/configuration/connection-tests/telephony.ts'
import { testPlatformConnection } from '../../features/setup/platform-connection-test.ts'
import { ownRootFields, readContract } from '../../server/graphql/local-schema.ts'
import type { Settings } from '../../settings/settings.ts'
import { connectionTestPorts } from '../../wiring/administration.ts'
import { failed, type Finding, findingOfError, ok, warning } from './finding.ts'
import type { OpenedPorts } from './open-ports.ts'
import type { Check } from './run-checks.ts'
import { isOpenPort, portNotKnown } from './service-checks.ts'

export type WorkspaceTarget = {
  readonly subdomain: string
  /** Of a member who may see roles; null: only the API key of the workspace is used. */
  readonly accessToken: string | null
  /** It is a sandbox: its people and passwords are made up. */
  readonly hasStandInPlatform: boolean
}

/** The checks of one workspace; each finds out the workspace's id itself, so that none waits for another. */
export function workspaceChecks(service: OpenedPorts, settings: Settings, target: WorkspaceTarget): readonly Check[] {
  const workspace = target.subdomain
  const idOf = async (): Promise<string> => {
    const id = await service.workspaces.idOf(workspace)
    if (id === null)
      throw new AppError('WORKSPACE_NOT_SERVED', { detail: `The platform has no workspace ${workspace}: correct WORKSPACES` })
    return id
  }
  const drafts = connectionTestPorts(settings, service)
  return [
    { part: 'platform', workspace, run: async (signal) => checkPlatform(service, target, { workspaceId: await idOf(), signal }) },
    { part: 'telephony', workspace, run: async (signal) => checkTelephony(service, drafts, { workspaceId: await idOf(), signal }) },
    { part: 'outbound', workspace, run: async () => checkOutbound(service, await idOf()) },
    { part: 'webhooks', workspace, run: async () => checkWebhooks(service, await idOf()) },
    {
      part: 'ai',
      workspace,
      async run(signal) {
        const section = await service.configuration.read(await idOf(), 'ai')
        if (section.model !== null) return (await testAiConnection(drafts, section, { signal })).map(findingOf)
        return [warning('ai', 'No language model is chosen: no insights and no assistant', 'Set "ai.model" in the configuration')]
      },
    },
  ]
}

function findingOf({ name, ok: isOk, found, advice }: TestedPart): Finding {
  if (!isOk) return failed(name, found, advice ?? 'See docs/configuration.md')
  return advice === null ? ok(name, found) : warning(name, found, advice)
}

type Scope = { readonly workspaceId: string; readonly signal: AbortSignal }

async function checkPlatform(
  service: OpenedPorts,
  { accessToken, hasStandInPlatform }: WorkspaceTarget,
  scope: Scope,
): Promise<readonly Finding[]> {
  const section = await service.configuration.read(scope.workspaceId, 'platform')
  const token = accessToken ?? section.apiKey
  if (token === null) {
    const action = 'Create one on the platform and set it (docs/platform.md, step 4)'
    return [failed('platform.apiKey', 'No API key is set: insights, call records and the widget cannot work', action)]
  }
  const ports = { ...service, ownRootFields: ownRootFields(readContract()) }
  const checks = await testPlatformConnection(ports, section, { ...scope, accessToken: token })
  const seen = checks.map((check) => {
    if (check.name === 'platform.roles' && accessToken === null) return rolesNotSeen
    if (check.name === 'platform.passwords' && check.ok && hasStandInPlatform) return madeUpPasswords
    return findingOf(check)
  })
  return [...seen, ...(section.apiKey === null ? [] : await rightsFindings(service, section, section.apiKey))]
}

const rolesNotSeen = ok(
  'platform.roles',
  'Not checked: an API key may not see roles; with --workspace and --email of an administrator they are',
)
const madeUpPasswords = ok('platform.passwords', 'Not checked: the agents of the sandbox and their passwords are made up')

/** What the service writes with the API key; it reads all objects. `note` and `task` are the platform's own. */
const written = ['lead', 'call', 'visitSlot'] as const
const ownObjects = [
  { singular: 'note', plural: 'notes' },
  { singular: 'task', plural: 'tasks' },
]

async function rightsFindings({ recordRights, dataModel }: OpenedPorts, { objects }: PlatformSection, apiKey: string) {
  const part = 'platform.apiKeyRights'
  try {
    const existing = new Set((await dataModel.objects(apiKey)).map(({ singular }) => singular))
    const isThere = ({ singular }: { readonly singular: string }): boolean => existing.has(singular)
    const lacking = async (right: keyof typeof recordRights, names: readonly { singular: string; plural: string }[]) => {
      const rights = await Promise.all(
        names.filter(isThere).map(async (name) => ((await recordRights[right](apiKey, name)) ? [] : [name.plural])),
      )
      return rights.flat()
    }
    const [unreadable, unchangeable] = await Promise.all([
      lacking('mayRead', Object.values(objects)),
      lacking('mayChange', [...written.map((name) => objects[name]), ...ownObjects]),
    ])
    if (unreadable.length + unchangeable.length === 0) return [ok(part, 'The API key may read and change what the service needs')]
    const found = [
      ...(unreadable.length > 0 ? [`may not read ${unreadable.join(', ')}`] : []),
      ...(unchangeable.length > 0 ? [`may not change ${unchangeable.join(', ')}`] : []),
    ]
    return [failed(part, `The API key ${found.join(' and ')}`, 'Give its role these rights on the platform: Settings, Roles, Objects')]
  } catch (error) {
    return [findingOfError(part, error, { who: 'the platform', action: 'Correct the API key first' })]
  }
}

async function checkTelephony(
  service: OpenedPorts,
  drafts: ReturnType<typeof connectionTestPorts>,
  { workspaceId, signal }: Scope,
): Promise<readonly Finding[]> {
  const section = await service.configuration.read(workspaceId, 'telephony')
  if (section.provider !== null) return (await testTelephonyConnection(drafts, section, signal)).map(findingOf)
  return [warning('telephony', 'No telephony provider is chosen: agents cannot take calls here', 'Set "telephony.provider"')]
}

/** Asks for a call that does not exist: a provider that takes the account's credentials answers that it does not know it. */
async function checkOutbound(service: OpenedPorts, workspaceId: string): Promise<readonly Finding[]> {
  const outbound = await service.outboundTelephonyOf(workspaceId)
  if (outbound === null) return [ok('outbound', 'No second telephony provider is chosen')]
  const works = ok('outbound', "The second provider takes the account's credentials")
  try {
    await outbound.endedCall(newId().replaceAll('-', ''))
    return [works]
  } catch (error) {
    if (error instanceof AppError && error.reason === 'NOT_FOUND') return [works]
    const action = 'Compare address, account, key and token with the console of the provider'
    return [findingOfError('outbound', error, { who: 'the provider', action })]
  }
}

const longSilenceMs = 3 * 86_400_000

/** Whether live events are subscribed, and when the last one came. */
async function checkWebhooks(service: OpenedPorts, workspaceId: string): Promise<readonly Finding[]> {
  if (isOpenPort(service.publicAddress.url() ?? '')) return [portNotKnown('webhooks')]
  const { status, subscribedAt, lastEventAt, problem, nextTryAt } = await readLiveEvents(service, workspaceId)
  const last = lastEventAt === null ? 'no webhook has come yet' : `the last webhook came at ${lastEventAt}`
  const advice = 'Check PUBLIC_URL, CALLBACK_ADDRESSES and the proxy; sign an agent in, which must send one'
  if (status === 'SUBSCRIBED') {
    // A new subscription has nothing to report until a call comes or an agent signs in.
    const isSilent = Date.now() - Date.parse(lastEventAt ?? subscribedAt ?? '') > longSilenceMs
    const found = `Subscribed at ${subscribedAt}; ${last}`
    return [isSilent ? warning('webhooks', found, advice) : ok('webhooks', found)]
  }
  if (status === 'FAILED')
    return [
      failed('webhooks', `The subscription failed: ${problem}; ${last}`, `Correct the cause; the service tries again at ${nextTryAt}`),
    ]
  if (status === 'PENDING')
    return [warning('webhooks', `Not subscribed; ${last}`, 'Start the service; if it runs, wait some seconds: it subscribes by itself')]
  return [warning('webhooks', `Not subscribed: ${problem}`, 'See docs/platform.md')]
}
