// Read before the first paint: a page that is light for a moment would flash at night.
const kept = localStorage.getItem('theme')
if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept
