import type { JSX } from 'preact'
import type { Failure } from './failure.ts'
import { Icon } from './icons.tsx'
import { useWait } from './use-wait.ts'
import { waitingTime, failureText } from './failure-text.ts'

/** An error, announced to screen readers, with a button to try again if that makes sense. */
export function Trouble({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }): JSX.Element {
  const waitSeconds = useWait(failure)
  return (
    <div class="notice" role="alert">
      <Icon name="alert" />
      <p>{failureText(failure)}</p>
      {onRetry && (
        <button type="button" class="plain" disabled={waitSeconds > 0} onClick={onRetry}>
          {waitSeconds > 0 ? `Try again in ${waitingTime(waitSeconds)}` : 'Try again'}
        </button>
      )}
    </div>
  )
}

/** Grey placeholders for an answer. */
export function Loading({ what }: { readonly what: string }): JSX.Element {
  return (
    <div class="loading">
      <p class="hidden" role="status">{`Loading ${what} …`}</p>
      <i />
      <i />
      <i />
    </div>
  )
}
