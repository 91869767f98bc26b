import { useCallSettings } from '../../../phone/agent-state.ts'
import { useNextReason } from '../../../phone/next-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNow } from '../../../ui/now.ts'
import { clockText } from '../../../ui/timer.tsx'
import type { Draft } from './draft-fields.ts'
import { isComplete, isSaved } from './draft-checks.ts'
import { useDeskTexts } from './texts.ts'

const warnSeconds = 30

/** How long the provider still waits, and what the desk does then. */
export function WrapUpEnd({ endsAt, draft }: { readonly endsAt: number; readonly draft: Draft }) {
  const texts = useDeskTexts()
  const { notReadyReasons, wrapUpSeconds } = useCallSettings()
  const { reason, choose } = useNextReason()
  const now = useNow(1_000)
  const left = Math.max(0, Math.ceil((endsAt - now) / 1_000))
  const isShort = left <= warnSeconds
  const [firstReason] = notReadyReasons
  const canPause = reason === null && firstReason !== undefined
  return (
    <>
      <p className="desk-wrap-up-end">
        <Ring share={left / (wrapUpSeconds ?? left)} />
        <span>{texts.wrapUpEnds}</span>
        <time aria-live="off" className="numbers">
          {clockText(left)}
        </time>
      </p>
      {isShort && !isSaved(draft) && (
        <Notice
          tone="warn"
          role="status"
          title={isComplete(draft, now) ? texts.savesAtEnd : texts.keepsAtEnd}
          {...(canPause && { actions: <Button onPress={() => choose(firstReason)}>{texts.moreTime}</Button> })}
        >
          {reason !== null && <p>{texts.pauseAtEnd(reason)}</p>}
        </Notice>
      )}
    </>
  )
}

/** `share`: 1 is the whole ring. */
function Ring({ share }: { readonly share: number }) {
  return (
    <svg className="desk-wrap-up-ring" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" pathLength="1" />
      <circle cx="10" cy="10" r="8" pathLength="1" strokeDasharray={`${Math.min(1, share)} 1`} />
    </svg>
  )
}
