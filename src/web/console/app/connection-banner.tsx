import { useStore } from '../data/store.ts'
import { connection } from '../session/connection.ts'
import { Notice } from '../ui/notice.tsx'
import { Timer } from '../ui/timer.tsx'
import { useShellTexts } from './shell-texts.ts'

/** As long as the service cannot be reached. */
export function ConnectionBanner() {
  const texts = useShellTexts()
  const { isLost, since } = useStore(connection)
  return (
    <div role="status">
      {isLost && (
        <div className="shell-connection">
          <Notice tone="warn" title={texts.lost} actions={<Timer since={new Date(since).toISOString()} />}>
            <p>{texts.lostAdvice}</p>
          </Notice>
        </div>
      )}
    </div>
  )
}
