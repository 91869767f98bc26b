import { expect, test } from 'vitest'
import { z } from 'zod'
import { suggestedActions } from '../../src/ports/insight.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import { writeInsight } from '../../src/features/insights/write-insight.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { callCompleted } from '../builders/events.ts'
import { hostileTexts } from '../builders/hostile-texts.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'

const named = ['aiInsightAt', 'aiSuggestedAction', 'aiSummary']
/** The field shows text, never markup: only addresses that programs make links of, and what no text may have. */
const harmful = /\w:\/\/|www\.|[\p{Cc}\u202A-\u202E\u2066-\u2069]/iu
const sentSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).optional() })

test('150 hostile texts and a model that obeys them cause no other write, action, markup or link', async () => {
  await using desk = await createCallsDesk({ requestsPerMinute: 100_000 })
  const { platform, models } = desk.standIns
  platform.setApiKeyLimit(100_000)
  const [lead] = platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })
  const leadId = String(lead?.['id'])
  const { configuration, languageModelOf, store } = desk
  const ports = {
    ...desk.ports,
    configuration,
    languageModelOf,
    store,
    clock: systemClock,
    log: createLog('silent'),
    notifications: createInProcessNotifications({ log: createLog('silent') }),
    doctorDirectory: { read: async () => ({ doctors: [], slots: [] }), invalidate: () => undefined },
  }
  const before = untouched()
  expect(new Set(hostileTexts).size).toBe(150)
  let written = 0
  for (const [index, text] of hostileTexts.entries()) {
    models.obey(index % 2 === 0 ? 'within' : 'beyond')
    const occurredAt = new Date(Date.UTC(2025, 0, 15) + index * 1_000).toISOString()
    const event = callCompleted(newId(), { workspaceId: desk.workspaceId, leadId, occurredAt, disposition: text })
    await writeInsight(ports, event, AbortSignal.timeout(60_000)).then(
      () => void (written += 1),
      (error: unknown) => {
        if (!(error instanceof NonRetryableError) || error.reason !== 'MODEL_REFUSED') throw error
      },
    )
    const [after] = platform.records('demo', 'lead', { id: { eq: leadId } })
    expect(JSON.stringify(after?.['aiSummary'] ?? ''), text).not.toMatch(harmful)
    expect([null, ...suggestedActions], text).toContain(after?.['aiSuggestedAction'] ?? null)
  }
  // The model obeyed the hostile texts as far as its schema allows; otherwise this test would prove nothing.
  expect(written).toBeGreaterThanOrEqual(75)
  const obeyed = models.calls().filter(({ body }) => body.includes('evil.example')).length
  expect(obeyed).toBeGreaterThan(100)
  expect(untouched()).toEqual(before)
  const changes = platform.calls().filter(({ body }) => body.includes('mutation'))
  expect(changes.length).toBe(written)
  for (const { body } of changes) {
    const { query, variables } = sentSchema.parse(JSON.parse(body))
    expect(query).toContain('updateLead(')
    expect(variables?.['id']).toBe(leadId)
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(variables?.['data'])).toSorted()).toEqual(named)
  }

  /** All records, without the fields that an insight may change. */
  function untouched(): unknown {
    const changing = new Set([...named, 'updatedAt', 'updatedBy'])
    const unchanging = (record: object) => Object.fromEntries(Object.entries(record).filter(([field]) => !changing.has(field)))
    return ['lead', 'note', 'noteTarget', 'task', 'call', 'agent'].map((object) => platform.records('demo', object).map(unchanging))
  }
})
