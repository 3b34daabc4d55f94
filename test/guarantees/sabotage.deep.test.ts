import { sabotages } from './sabotages/all.ts'
import { seesItBroken } from './sees-it-broken.ts'

/** Every fourth of them in `npm run test:deep`, and all in `npm run test:lab`. */
const isSample = process.env['PADDOCK_TEST_TIER'] === 'deep'

seesItBroken(sabotages.filter((_, index) => !isSample || index % 4 === 0))
