import { AppError, invalidInput } from '../../../kernel/errors.ts'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'

export type AgentStateInput = { readonly state: 'READY' | 'NOT_READY'; readonly reason?: string | null | undefined }
/** What an agent chose. `reasonPath`: the client's name of the not-ready reason; `next.reason` by default. */
export type Choice = {
  readonly disposition?: string
  readonly next?: AgentStateInput | null | undefined
  readonly reasonPath?: 'reason' | 'next.reason'
}
type Lists = Pick<TelephonySection, 'dispositions' | 'notReadyReasons'>

/** Throws INVALID_INPUT with the allowed values if the workspace has a list without the disposition or the not-ready reason. */
export function assertAllowed({ disposition, next, reasonPath = 'next.reason' }: Choice, lists: Lists): void {
  if (disposition !== undefined) assertListed({ path: 'disposition', value: disposition }, lists.dispositions)
  if (next?.state === 'NOT_READY') assertListed({ path: reasonPath, value: next.reason ?? '' }, lists.notReadyReasons)
}

type Field = { readonly path: string; readonly value: string }

function assertListed({ path, value }: Field, allowed: readonly string[]): void {
  if (allowed.includes(value)) return
  const list = allowed.length === 0 ? undefined : allowed
  if (value.trim() === '') throw invalidInput(path, `is needed: ${wanted(path)}`, list)
  if (list) throw invalidInput(path, `must be ${wanted(path)}`, list)
}

/** The provider's refusal of a choice, with the client's name of the field and the other values of the workspace's list. */
export function asClientsRefusal(error: unknown, { disposition, next, reasonPath = 'next.reason' }: Choice, lists: Lists): unknown {
  if (!(error instanceof AppError && error.reason === 'INVALID_INPUT')) return error
  const refused = error.data?.fields?.[0]?.path
  if (refused === 'disposition') return refusalOf({ path: refused, value: disposition ?? '' }, lists.dispositions, error)
  if (refused === 'pauseReason') return refusalOf({ path: reasonPath, value: next?.reason ?? '' }, lists.notReadyReasons, error)
  return error
}

function refusalOf({ path, value }: Field, listed: readonly string[], { cause }: AppError): AppError {
  const others = listed.filter((name) => name !== value)
  const advice = listed.length === 0 ? '; a manager can list them in the telephony configuration' : ''
  const { message, data } = invalidInput(
    path,
    `the telephony provider knows no such value: use ${wanted(path)}${advice}`,
    others.length === 0 ? undefined : others,
  )
  return new AppError('INVALID_INPUT', { detail: message, cause, ...(data && { data }) })
}

function wanted(path: string): string {
  return path === 'disposition' ? "one of the account's dispositions" : "one of the account's not-ready reasons"
}
