import { isDone, type SetupStep } from './documents.ts'
import { useSetupTexts } from './texts.ts'
import './setup.css'

/** How many of the steps are done. */
export function Progress({ steps }: { readonly steps: readonly SetupStep[] }) {
  const texts = useSetupTexts()
  const done = steps.filter(isDone).length
  return (
    <div className="setup-progress">
      <progress value={done} max={steps.length} aria-label={texts.progress(done, steps.length)} />
      <span className="numbers">{texts.progress(done, steps.length)}</span>
    </div>
  )
}
