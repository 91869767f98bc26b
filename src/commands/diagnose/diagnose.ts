import { resolve } from 'node:path'
import { withDeadline } from '../../kernel/with-fallback.ts'
import { createPublicAddress, type PublicAddress } from '../../kernel/public-address.ts'
import { createLog } from '../../kernel/log.ts'
import { UsageError } from '../../kernel/usage-error.ts'
import type { Settings } from '../../settings/settings.ts'
import { checkPlatform } from './address-checks.ts'
import { checkKafka, checkRedis } from './broker-checks.ts'
import { checkDatabases, checkDataDir } from './data-dir-checks.ts'
import { causeOf, failed, type Finding, findingOfError } from './finding.ts'
import { openPorts, type OpenedPorts } from './open-ports.ts'
import { processFindings, settingsFindings } from './process-checks.ts'
import { type Check, runChecks } from './run-checks.ts'
import { sandboxSettings } from './sandbox-settings.ts'
import { checkEvents, checkPublicAddress, checkService, checkSpeech } from './service-checks.ts'
import { workspaceChecks, type WorkspaceTarget } from './workspace-checks.ts'

export type Question = {
  /** The subdomain of the only workspace to check; null: all. */
  readonly workspace: string | null
  readonly member: { readonly email: string; readonly password: string } | null
  /** Of the running service, without a slash at the end. */
  readonly address: string
}

/** Checks everything that this environment configures. Throws UsageError if the workspace is not served. */
export async function diagnose(environment: NodeJS.ProcessEnv, question: Question): Promise<readonly Finding[]> {
  const own = processFindings(environment)
  const running: Check = { part: 'service', run: (signal) => checkService(question.address, signal) }
  let settings: Settings
  let hasStandInPlatform: boolean
  try {
    ;({ settings, hasStandInPlatform } = await sandboxSettings(environment))
  } catch (error) {
    const invalid = settingsFindings(error, environment)
    const other = [failed('settings', causeOf(error), 'Correct it; then the other parts can be checked')]
    return [...(invalid.some(({ state }) => state === 'error') ? invalid : other), ...own, ...(await runChecks([running]))]
  }
  if (question.workspace !== null && !settings.workspaces.includes(question.workspace))
    throw new UsageError(`--workspace: WORKSPACES does not name ${question.workspace}`)
  const publicAddress = createPublicAddress(settings.http.publicUrl)
  publicAddress.listensOn(Number(new URL(question.address).port))
  await using stack = new AsyncDisposableStack()
  const partners = runChecks([running, ...partnerChecks(settings, publicAddress)])
  const stored = openPorts(settings, publicAddress, stack).then(
    (service) => checkStored(service, settings, { ...question, hasStandInPlatform }),
    (error: unknown) => [
      failed('configuration', `It cannot be read: ${causeOf(error)}`, 'Correct this first: the workspaces and the events are not checked'),
    ],
  )
  return [...settingsFindings(null, environment), ...own, ...(await partners), ...(await stored)]
}

/** What needs nothing but the settings. */
function partnerChecks(settings: Settings, publicAddress: PublicAddress): readonly Check[] {
  const { redisUrl, kafka, platform } = settings
  const dataDir = resolve(settings.dataDir)
  return [
    { part: 'data-dir', run: () => checkDataDir(dataDir) },
    { part: 'store', run: async () => checkDatabases(dataDir) },
    ...(redisUrl === null ? [] : [{ part: 'redis', run: () => checkRedis(redisUrl) }]),
    ...(kafka === null ? [] : [{ part: 'kafka', run: () => checkKafka(kafka, createLog('silent')) }]),
    { part: 'platform', run: (signal) => checkPlatform(platform.url, signal) },
    { part: 'public-address', run: (signal) => checkPublicAddress(publicAddress.url(), signal) },
    { part: 'speech', run: (signal) => checkSpeech(settings, signal) },
  ]
}

type Asked = Question & Pick<WorkspaceTarget, 'hasStandInPlatform'>

async function checkStored(
  service: OpenedPorts,
  settings: Settings,
  { workspace, member, hasStandInPlatform }: Asked,
): Promise<readonly Finding[]> {
  const workspaces = workspace === null ? settings.workspaces : [workspace]
  const signIn = await tokenOf(service, workspace, member)
  const [accessToken, refused] = typeof signIn === 'string' || signIn === null ? [signIn, []] : [null, [signIn]]
  const checks = workspaces.flatMap((subdomain) => workspaceChecks(service, settings, { subdomain, accessToken, hasStandInPlatform }))
  return [...refused, ...(await runChecks([{ part: 'events', run: () => checkEvents(service) }, ...checks]))]
}

/** All checks together end within about 20 s. */
const signInMs = 2_500

/** A token of the platform itself: no agent session begins here. */
async function tokenOf({ identity }: OpenedPorts, workspace: string | null, member: Question['member']): Promise<string | null | Finding> {
  if (workspace === null || member === null) return null
  try {
    const loginToken = await withDeadline(identity.logIn({ ...member, workspace }), signInMs)
    return (await withDeadline(identity.exchange({ loginToken, workspace }), signInMs)).accessToken.token
  } catch (error) {
    return findingOfError('platform.signIn', error, { who: 'the platform', action: 'Correct --email and the password' })
  }
}
