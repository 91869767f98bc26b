import { z } from 'zod'
import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { hashOf } from '../../../kernel/ids.ts'
import { codeText, refusalOf } from '../../../kernel/refusal.ts'
import type { CallFacts } from '../../../ports/call-facts.ts'
import type { CallWrite } from '../../../ports/call-records.ts'
import type { CallValues } from '../../../ports/records/call.ts'
import { NonRetryableError } from '../../../ports/non-retryable-error.ts'
import type { Ports } from '../../../ports/ports.ts'
import { asService, type ServiceAccess } from '../../../ports/record-access.ts'
import { Family } from '../../../ports/stored/family.ts'
import { addCallFacts, type CallKey, readCall } from '../state/call-state-store.ts'
import { callValues } from './call-values.ts'
import { queueRecord } from '../state/record-queue.ts'
import { relateCalls, type RelateCallsPorts } from './relate-calls.ts'

export type WriteAloneInput = { readonly key: CallKey; readonly facts: CallFacts }

const aloneSchema = z.object({
  /** How often the platform refused this call's record when it was written alone. */
  refusals: z.number(),
  /** Whether it was refused at all: then it would spoil a batch. */
  isRefused: z.boolean(),
  /** The digest of what was written last. */
  written: z.string().nullable(),
})
const untried: z.output<typeof aloneSchema> = { refusals: 0, isRefused: false, written: null }

export const recordsWrittenAlone = new Family({
  name: 'call-record-alone',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: aloneSchema,
  lifetime: 86_400_000,
  about: 'call',
  what: 'a call record that is written alone',
})
/** With the back-off of the relay: some ten seconds for a record that the platform refuses, two hours for errors that may pass. */
const refusalsAllowed = { wrong: 7, internal: 120 }

/** No record of the workspace can be written before somebody changes the API key or its role. */
const keyReasons: ReadonlySet<ErrorReason> = new Set(['NOT_CONFIGURED', 'TOKEN_REFUSED', 'PLATFORM_REFUSED'])

export function isKeyRefused(error: unknown): boolean {
  return error instanceof AppError && keyReasons.has(error.reason)
}

/** Of these calls, those whose record was refused in the last day. Errors: STORE_UNAVAILABLE. */
export async function refusedBefore(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  ucids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await recordsWrittenAlone.readMany(
    ports,
    ucids.map((ucid) => ({ workspaceId, ucid })),
  )
  return new Set(ucids.filter((_, index) => found[index]?.isRefused === true))
}

/**
 * Writes one call's record, with these facts and all that was reported since. After the last allowed refusal it throws a NonRetryableError.
 * Other errors: PROVIDER_REFUSED, NOT_CONFIGURED (the API key is missing or refused), the platform's, STORE_UNAVAILABLE.
 */
export async function writeAlone(ports: RelateCallsPorts & Pick<Ports, 'callRecords'>, { key, facts }: WriteAloneInput): Promise<void> {
  const access = asService(key.workspaceId, 'RETRIES')
  const { after: call } = await addCallFacts(ports, key, facts)
  try {
    for (const write of await relateCalls(ports, access, [call])) await writeUnlessWritten(ports, access, write)
  } catch (error) {
    throw isKeyRefused(error) ? new AppError('NOT_CONFIGURED', { cause: error }) : await counted(ports, key, error)
  }
}

async function writeUnlessWritten(
  ports: RelateCallsPorts & Pick<Ports, 'callRecords'>,
  access: ServiceAccess,
  write: CallWrite,
): Promise<void> {
  const key = { workspaceId: access.workspaceId, ucid: write.ucid }
  const before = (await recordsWrittenAlone.read(ports, key)) ?? untried
  const written = hashOf(JSON.stringify(write.values))
  if (before.written === written) return
  await ports.callRecords.write(access, write)
  await recordsWrittenAlone.write(ports, key, { value: { ...before, refusals: 0, written } })
  await queueIfChanged(ports, key, write.values)
}

/** A batch may have written a newer state before these values arrived: then it is written again. Errors: STORE_UNAVAILABLE. */
export async function queueIfChanged(ports: Pick<Ports, 'clock' | 'store'>, key: CallKey, written: CallValues): Promise<void> {
  const now = await readCall(ports, key)
  if (now && JSON.stringify(callValues(now)) !== JSON.stringify(written)) await queueRecord(ports, key)
}

async function counted(ports: Pick<Ports, 'store'>, key: CallKey, error: unknown): Promise<unknown> {
  const refusal = refusalOf(error)
  if (!isRefused(error)) return error
  const before = (await recordsWrittenAlone.read(ports, key)) ?? untried
  const isInternal = refusal?.code === 'INTERNAL_SERVER_ERROR'
  const isLast = before.refusals + 1 >= (isInternal ? refusalsAllowed.internal : refusalsAllowed.wrong)
  // After a replay the record gets as many tries again.
  const value = { ...before, isRefused: true, refusals: isLast ? 0 : before.refusals + 1 }
  await recordsWrittenAlone.write(ports, key, { value })
  if (!isLast) return error
  const detail = refusal === null ? 'RECORD_REFUSED' : `RECORD_REFUSED: ${codeText(refusal)}`
  return new NonRetryableError('RECORD_REFUSED', { detail, cause: error })
}

function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'PROVIDER_REFUSED'
}
