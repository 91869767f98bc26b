import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../kernel/start-error.ts'
import { standInParties } from '../../settings/sandbox.ts'
import { readSettings, type Settings } from '../../settings/settings.ts'

const environmentsSchema = z.array(z.record(z.string(), z.string()))

/** The settings of the service; in the sandbox with the addresses of the stand-ins, which its last start has stored. */
export async function sandboxSettings(environment: NodeJS.ProcessEnv): Promise<{ settings: Settings; hasStandInPlatform: boolean }> {
  const settings = readSettings(environment)
  const parties = standInParties(settings)
  if (parties.length === 0) return { settings, hasStandInPlatform: false }
  const file = join(settings.dataDir, 'sandbox-environment.json')
  if (!existsSync(file)) {
    const found = 'Without PLATFORM_URL this is a sandbox, and it was not started yet: npm start'
    throw new StartError(`${found}. Or the settings of the service are missing here (docs/operations.md#run-a-command)`)
  }
  const [own = {}, ...further] = environmentsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return { settings: readSettings({ ...environment, ...own }, further), hasStandInPlatform: parties.includes('platform') }
}
