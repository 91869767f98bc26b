import type { Pages } from '../data/pages.ts'
import { Button } from './button.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { useUiTexts } from './texts.ts'
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
