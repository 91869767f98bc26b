import { Button } from '../ui/button.tsx'
import { useUiTexts } from '../ui/texts.ts'
import type { Pages } from './pages.ts'
import { ProblemNotice } from './problem-notice.tsx'
import './load-more.css'

/** The end of a list that comes in pages. */
export function LoadMore({ pages }: { readonly pages: Pick<Pages<unknown>, 'error' | 'hasMore' | 'isLoading' | 'loadMore'> }) {
  const texts = useUiTexts()
  if (!pages.hasMore && !pages.error) return null
  return (
    <div className="ui-load-more">
      <ProblemNotice error={pages.error} />
      <Button isPending={pages.isLoading} onPress={pages.loadMore}>
        {pages.error ? texts.tryAgain : texts.loadMore}
      </Button>
    </div>
  )
}
