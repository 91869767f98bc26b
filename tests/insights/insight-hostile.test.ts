import { expect, test } from 'vitest'
import { z } from 'zod'
import { suggestedActions } from '../../src/ports/insight.ts'
import { createWriteInsight } from '../../src/features/insights/write-insight.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { callCompleted } from '../builders/events.ts'
import { hostileTexts } from '../builders/hostile-texts.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'

const named = ['aiInsightAt', 'aiSuggestedAction', 'aiSummary']
const harmful = /[<>]|\]\(|https?:|ftp:|www\.|evil\.example|javascript:|data:|mailto:/i
const sentSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).optional() })

test(
  '150 hostile texts and a model that obeys them: no write, action, markup or link that we did not mean',
  { timeout: 120_000 },
  async () => {
    await using desk = await createCallsDesk({ requestsPerMinute: 100_000 })
    const { platform, models } = desk.standIns
    platform.setApiKeyLimit(100_000)
    const [lead] = platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })
    const leadId = String(lead?.['id'])
    const { activity, insights } = desk.ports
    const { languageModelOf, store } = desk
    const write = createWriteInsight({
      activity,
      insights,
      languageModelOf,
      store,
      clock: systemClock,
      leadOfCall: async () => null,
      recordingOf: async () => null,
      knownDoctors: async () => [],
    })
    const before = untouched()
    expect(new Set(hostileTexts).size).toBe(150)
    let written = 0
    for (const [index, text] of hostileTexts.entries()) {
      models.obey(index % 2 === 0 ? 'within' : 'beyond')
      const occurredAt = new Date(Date.UTC(2025, 0, 15) + index * 1_000).toISOString()
      const event = callCompleted(newId(), { workspaceId: desk.workspaceId, leadId, occurredAt, disposition: text })
      await write(event, AbortSignal.timeout(10_000)).then(
        () => void (written += 1),
        (error: unknown) => {
          if (!(error instanceof AppError) || error.reason !== 'PROVIDER_ANSWER_INVALID') throw error
        },
      )
      const [after] = platform.records('demo', 'lead', { id: { eq: leadId } })
      expect(JSON.stringify(after?.['aiSummary'] ?? ''), text).not.toMatch(harmful)
      expect([null, ...suggestedActions], text).toContain(after?.['aiSuggestedAction'] ?? null)
    }
    // The model was led astray where the form lets it; else this test would hold nothing.
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

    /** Everything that no insight may change. */
    function untouched(): unknown {
      const changing = new Set([...named, 'updatedAt', 'updatedBy'])
      const kept = (record: object) => Object.fromEntries(Object.entries(record).filter(([field]) => !changing.has(field)))
      return ['lead', 'note', 'noteTarget', 'task', 'call', 'agent'].map((object) => platform.records('demo', object).map(kept))
    }
  },
)
