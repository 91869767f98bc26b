import { expect, test } from 'vitest'
import { readStoredAnalyses, writeStoredAnalysis } from '../../src/features/recordings/stored-analyses.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { workspaceOf } from '../harness/stored-transcripts.ts'

const [aliases, equalIds, utterances] = [60, 500, 400]
const operation = `query($ids: [ID!]!) { ${Array.from({ length: aliases }, (_, index) => `a${index}: recordingAnalyses(callIds: $ids) { callId }`).join(' ')} }`

test('equal IDs of a long analysis cost little more than those of no analysis', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('manager@demo.example')
  const callId = await storeLongAnalysis(app, token)
  const timeOf = async (id: string): Promise<number> => {
    const before = process.cpuUsage()
    const variables = { ids: Array.from({ length: equalIds }, () => id) }
    const { data, errors } = await app.graphql(operation, { token, variables })
    const { user, system } = process.cpuUsage(before)
    expect(errors).toBeUndefined()
    const entry = id === callId ? { callId } : null
    expect(data?.['a59']).toEqual(Array.from({ length: equalIds }, () => entry))
    return user + system
  }
  await timeOf(newId())
  expect(await timeOf(callId)).toBeLessThan(10 * (await timeOf(newId())))
})

async function storeLongAnalysis(app: TestApp, token: string): Promise<string> {
  const [call] = await recordedCalls(app, token)
  const key = { workspaceId: workspaceOf(token), callId: call?.id ?? '' }
  await app.rest('POST', '/api/recordings/analyze', { token, body: { callId: key.callId } })
  const store = createSqliteStore({ dataDir: app.dataDir, clock: systemClock, retentionOf })
  try {
    const [analysis] = await readStoredAnalyses(store, key.workspaceId, [key.callId])
    const [first] = analysis?.utterances ?? []
    if (!analysis || !first) throw new Error('The call has no analysis')
    const long = { ...analysis, utterances: Array.from({ length: utterances }, (_, index) => ({ ...first, id: `u${index + 1}` })) }
    await writeStoredAnalysis({ store, clock: systemClock }, key, long)
  } finally {
    await store.close()
  }
  return key.callId
}
