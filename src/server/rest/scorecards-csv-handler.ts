import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { RequestContext } from '../../access/request-context.ts'
import { exportScorecards } from '../../features/recordings/scorecards/export-scorecards.ts'
import { parseInput } from '../../kernel/input.ts'
import { dateTimeForm } from '../graphql/date-time.ts'
import { longestExportMs } from './export-deadline.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import { singleValues } from './single-values.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'

const moment = z
  .string()
  .max(40)
  .refine((text) => dateTimeForm.test(text) && !Number.isNaN(Date.parse(text)), 'must be a moment in ISO 8601 with its zone')
  .transform((text) => new Date(text).toISOString())
/** The arguments of `scorecards`, without those of a page. */
const querySchema = z.strictObject({
  from: moment.optional(),
  to: moment.optional(),
  agentId: z.uuid('must be a UUID').toLowerCase().optional(),
  correctedOnly: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
})

/** `GET /api/scorecards.csv`: scorecards as a file, streamed in parts. */
export function createScorecardsCsvHandler(
  ports: Parameters<typeof exportScorecards>[0],
  contextOf: (ctx: HttpContext) => RequestContext,
): Handler {
  return problemHandler(
    onlyMethods(['GET'], async (ctx) => {
      ctx.route = '/api/scorecards.csv'
      const actor = await contextOf(ctx).actor()
      const rows = await exportScorecards(ports, actor, parseInput(querySchema, singleValues(ctx.query)))
      ctx.deadlineAt = ctx.startedAt + longestExportMs
      ctx.response.writeHead(200, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="scorecards.csv"',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      await pipeline(Readable.from(rows), ctx.response)
    }),
  )
}
