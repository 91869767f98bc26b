import type { JSX } from 'preact'
import type { Failure } from './failure.ts'
import { Icon } from './icons.tsx'
import { useWait } from './use-wait.ts'
import { waitingTime, wordsFor } from './words.ts'

/** What did not go well, said at once to everybody, and the way to try it again where there is one. */
export function Trouble({ failure, onRetry }: { readonly failure: Failure; readonly onRetry?: () => void }): JSX.Element {
  const waitSeconds = useWait(failure)
  return (
    <div class="notice" role="alert">
      <Icon name="alert" />
      <p>{wordsFor(failure)}</p>
      {onRetry && (
        <button type="button" class="plain" disabled={waitSeconds > 0} onClick={onRetry}>
          {waitSeconds > 0 ? `Try again in ${waitingTime(waitSeconds)}` : 'Try again'}
        </button>
      )}
    </div>
  )
}

/** Grey shapes where an answer will stand. */
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
