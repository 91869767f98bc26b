import { adviceIfUntested } from '../../features/configuration/connection-test.ts'
import { AppError } from '../../kernel/errors.ts'
import { StartError } from '../../kernel/start-error.ts'

/** What one check found. */
export type Finding = {
  /** Stable, for example `platform.clock`. */
  readonly part: string
  /** The subdomain of the workspace that it concerns; null: the whole service. */
  readonly workspace: string | null
  readonly state: 'ok' | 'warning' | 'error'
  /** What was found; a sentence without secrets. */
  readonly found: string
  /** What to do; null if there is nothing to do. */
  readonly action: string | null
}

export function ok(part: string, found: string): Finding {
  return { part, workspace: null, state: 'ok', found, action: null }
}

export function warning(part: string, found: string, action: string): Finding {
  return { part, workspace: null, state: 'warning', found, action }
}

export function failed(part: string, found: string, action: string): Finding {
  return { part, workspace: null, state: 'error', found, action }
}

export function inWorkspace(workspace: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, workspace }))
}

/** An error of a partner: a warning if it only takes no more requests for now. `action`: if the error may concern what was tried. */
export function findingOfError(part: string, error: unknown, { who, action, found = '' }: Mistake): Finding {
  const advice = error instanceof AppError ? adviceIfUntested(error, who) : null
  const isLimit = error instanceof AppError && error.reason === 'OVERLOADED'
  return (isLimit ? warning : failed)(part, `${found}${causeOf(error)}`, advice ?? action)
}

type Mistake = { readonly who: string; readonly action: string; readonly found?: string }

/** The message of an error that is written for people; of any other only its code, because its message may hold an address with a password. */
export function causeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof StartError) return error.message
  if (!(error instanceof Error)) return 'unknown error'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : causeOf(error.cause)
}
