import { CircleAlert } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { useUiTexts } from '../ui/texts.ts'
import { useProblem } from './problem.ts'
import '../ui/states.css'

/** Something could not be loaded: what is wrong, and what to do. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const texts = useUiTexts()
  const { title, advice, requestId } = useProblem(error)
  return (
    <div className="ui-empty" role="alert">
      <span className="ui-empty-icon ui-empty-bad" aria-hidden="true">
        <CircleAlert />
      </span>
      <p className="ui-empty-title">{title}</p>
      <div className="ui-empty-text">
        <p>{advice}</p>
        {requestId !== null && <p className="ui-reference">{texts.reference(requestId)}</p>}
      </div>
      {onRetry && <Button onPress={onRetry}>{texts.tryAgain}</Button>}
    </div>
  )
}
