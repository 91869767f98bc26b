import { useStore } from '../state/store.ts'
import { connection } from '../data/connection.ts'
import { Notice } from '../ui/notice.tsx'
import { Timer } from '../ui/timer.tsx'
import { useShellTexts } from './shell-texts.ts'

/** As long as the service cannot be reached, or refuses more streams. */
export function ConnectionBanner() {
  const texts = useShellTexts()
  const { problem, since } = useStore(connection)
  return (
    <div role="status">
      {problem !== null && (
        <div className="shell-connection">
          <Notice tone="warn" title={texts[problem]} actions={<Timer since={new Date(since).toISOString()} />}>
            <p>{texts[`${problem}_advice`]}</p>
          </Notice>
        </div>
      )}
    </div>
  )
}
