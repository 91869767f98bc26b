import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { processWarnings } from '../../kernel/process-safety.ts'
import { SettingsError } from '../../settings/environment.ts'
import { misspelt } from '../../settings/misspelt.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const manifestSchema = z.object({ version: z.string(), engines: z.object({ node: z.string() }) })

/** Whether the environment is valid: an error for each mistake. */
export function settingsFindings(error: unknown, environment: NodeJS.ProcessEnv): readonly Finding[] {
  const errors = error instanceof SettingsError ? error.errors : []
  const unknown = misspelt(environment).map((message) => warning('settings', message, 'Correct the name, or remove the variable'))
  const invalid = errors.map((message) =>
    failed('settings', message, 'Correct it; docs/configuration.md and .env.example list every setting'),
  )
  return invalid.length + unknown.length > 0
    ? [...invalid, ...unknown]
    : [ok('settings', 'All settings are valid, and no name is misspelt')]
}

/** Node, this version of the service, and what weakens the process. */
export function processFindings(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const { version, engines } = manifestSchema.parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')))
  const tls = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' ? [unsafeTls] : []
  const warnings = processWarnings().map((message) => warning('process', message, 'systemd: User=; containers: the image does it'))
  return [ok('versions', `call-center-sidecar ${version}, Node ${process.version} (needed: ${engines.node})`), ...tls, ...warnings]
}

const unsafeTls = failed(
  'process.tls',
  'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate would be verified, and the service refuses to start',
  'Remove it; for an authority of your own set NODE_EXTRA_CA_CERTS',
)
