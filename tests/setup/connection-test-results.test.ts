import { lateStore } from '../harness/late-store.ts'
import { expect, test } from 'vitest'
import { lastTestResult, storeTestResult } from '../../src/features/configuration/connection-test-results.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { sectionSchemas } from '../builders/configuration.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

test('each workspace and section has its own result, which counts for the tested values only', async () => {
  await using directory = await createTempDir()
  const store = lateStore(createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf }))
  const ports = { store, fingerprintKey: new Uint8Array(32) }
  const values = sectionSchemas.theme.parse({})
  const themeOf = (workspaceId: string) => ({ target: { workspaceId, section: 'theme' }, values }) as const
  const passed = { ok: true, at: '2025-01-15T09:00:00.000Z' }
  const failed = { ok: false, at: '2025-01-15T09:01:00.000Z' }
  await storeTestResult(ports, themeOf('w1'), passed)
  expect(await lastTestResult(ports, themeOf('w2'))).toBeNull()
  await storeTestResult(ports, themeOf('w2'), failed)
  expect(await lastTestResult(ports, themeOf('w1'))).toEqual(passed)
  expect(await lastTestResult(ports, themeOf('w2'))).toEqual(failed)
  const renamed = { ...values, brand: { ...values.brand, hospitalName: 'Other' } }
  expect(await lastTestResult(ports, { ...themeOf('w1'), values: renamed })).toBeNull()
  await store.close()
})
