import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { RequestContext } from '../../access/request-context.ts'
import { exportCalls } from '../../features/history/export-calls.ts'
import { parseInput } from '../../kernel/input.ts'
import { longestExportMs } from './export-deadline.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import { singleValues } from './single-values.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'

const text = z.string().trim().min(1).max(200)
/** The arguments of `historyCalls`, without those of a page. */
const querySchema = z.strictObject({
  from: text,
  to: text,
  agentId: z.uuid().optional(),
  campaignName: text.optional(),
  direction: z.enum(['INBOUND', 'OUTBOUND']).optional(),
  status: z.enum(['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED']).optional(),
  disposition: text.optional(),
  phoneNumber: text.max(40).optional(),
})

/** `GET /api/history/calls.csv`: call records as a file, streamed row by row. */
export function createCallsCsvHandler(ports: Parameters<typeof exportCalls>[0], contextOf: (ctx: HttpContext) => RequestContext): Handler {
  return problemHandler(
    onlyMethods(['GET'], async (ctx) => {
      ctx.route = '/api/history/calls.csv'
      const actor = await contextOf(ctx).actor()
      const input = parseInput(querySchema, singleValues(ctx.query))
      const rows = await exportCalls(ports, actor, input)
      ctx.deadlineAt = ctx.startedAt + longestExportMs
      ctx.response.writeHead(200, {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="calls-${input.from}-${input.to}.csv"`,
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      await pipeline(Readable.from(rows), ctx.response)
    }),
  )
}
