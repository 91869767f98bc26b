import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { docExamples } from '../harness/doc-examples.ts'
import { freePort } from '../harness/free-port.ts'
import { realServer } from '../harness/real-server.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const page = 'docs/platform.md'
const ownName = 'run by tests/process/platform-guide.test.ts'

/** The commands of the page as one script. npm prints its own lines and would start another Node, so its scripts run directly. */
const guide = docExamples(page)
  .filter(({ excuse }) => excuse === ownName)
  .map(({ text: commands }) => commands.replaceAll(/npm run ([\w-]+) --/g, 'node src/commands/$1.ts'))
  .join('\n')

test.skipIf((await realServer('curl')) === null)(
  'the guide leads from a fresh platform with the documented defaults to the first call and its insight',
  async () => {
    await using platform = await startPlatform({ dataFile: null, isFresh: true })
    await using directory = await createTempDir()
    await using service = await startServiceProcess({
      PLATFORM_URL: platform.url,
      PLATFORM_WORKSPACE_URL: platform.workspaceUrl,
      WORKSPACES: 'demo',
      SANDBOX: 'telephony,models,speech',
      PORT: String(await freePort()),
      DATA_DIR: directory.path,
    })
    const reader = { SIDECAR: service.url, WORKSPACE: 'demo', ADMIN: 'manager@demo.example', ADMIN_PASSWORD: sandboxPassword }
    const { code, output } = await runShell(guide, reader)
    expect(code, output).toBe(0)
    expect(output).toMatch(/^MANAGER$/m)
    expect(output).toMatch(/missing +visitSlot\.doctor/)
    expect(output).toMatch(/created +visitSlot\.doctor/)
    expect(output).toContain(
      'true platform.apiKey It belongs to this workspace\ntrue platform.objects Every object and field exists\ntrue platform.roles Admin and Member exist\n',
    )
    expect(output).toContain('Next: give the service an API key of this workspace')
    expect(output).not.toMatch(/^false/m)

    const [lead] = platform.records('demo', 'lead')
    expect(lead).toMatchObject({ name: 'Priya Nair', aiSuggestedAction: expect.any(String) as unknown })
    // The record of the call follows its events.
    const booked = { disposition: { eq: 'Appointment Booked' } }
    expect(await waitFor(() => platform.records('demo', 'call', booked)[0])).toMatchObject({
      disposition: 'Appointment Booked',
      notes: 'Monday, 10 am',
      leadId: lead?.['id'],
      direction: 'OUTBOUND',
    })
    expect(platform.records('demo', 'agent')).toMatchObject([{ name: 'Asha Rao', sipExtension: '5231' }])
  },
)

async function runShell(script: string, environment: Readonly<Record<string, string>>) {
  const env = { ...environment, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  const child = spawn('bash', ['-c', `set -euo pipefail\n${script}`], { env })
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, output: out + err }
}
