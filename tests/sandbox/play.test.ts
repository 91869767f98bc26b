import { expect, test } from 'vitest'
import { type Party, play } from '../../src/sandbox/play.ts'
import { createTempDir } from '../harness/temp-dir.ts'

test.each<[readonly Party[], readonly string[], string | null]>([
  [['models'], ['AI_MODEL', 'AI_PROVIDER', 'OPENAI_COMPATIBLE_API_KEY', 'OPENAI_COMPATIBLE_URL'], null],
  [['speech'], ['DEEPGRAM_API_KEY', 'DEEPGRAM_URL'], null],
  [
    ['platform'],
    ['HOSPITAL_NAME', 'PLATFORM_API_KEY', 'PLATFORM_URL', 'PLATFORM_WORKSPACE_URL', 'SEED_WORKSPACE', 'WIDGET_ENABLED', 'WORKSPACES'],
    'demo',
  ],
])('the stand-ins %j set only their own settings', async (parties, names, demoWorkspace) => {
  await using directory = await createTempDir()
  await using played = await play(parties, directory.path)
  expect(Object.keys(played.environments[0]).toSorted()).toEqual(names)
  expect(played.demo?.workspace ?? null).toBe(demoWorkspace)
  expect(await played.callBack('http://127.0.0.1:1')).toBeNull()
  expect(played.describe()).toContain(`SANDBOX: stand-ins on this machine play ${parties.join(', ')};`)
})

test('stand-ins of telephony belong together, and have the same addresses after a restart', async () => {
  await using directory = await createTempDir()
  const environmentOf = async (parties: readonly Party[]) => {
    await using played = await play(parties, directory.path)
    return played.environments[0]
  }
  const first = await environmentOf(['telephony'])
  expect(Object.keys(first)).toEqual(expect.arrayContaining(['OZONETEL_API_URL', 'EXOTEL_URL', 'RECORDING_ORIGINS']))
  expect(await environmentOf(['platform', 'telephony'])).toMatchObject(first)
  expect(await environmentOf(['telephony'])).toEqual(first)
})
