title = Какомимасу
enclosed = { $bot } замыкает кольцо: { cells }, { points }.
lost = { $bot } теряет область: { cells }, { points }.
lead = { $bot } выходит вперёд: { points }.
rings = Всего колец у { $bot }: { $rings } ({ cells }, { points }).
tie-broken = поровну, { points }, но больше очков за стены
cells =
    { $cells ->
        [one] { $cells } клетка
        [few] { $cells } клетки
       *[other] { $cells } клеток
    }
points =
    { $points ->
        [one] { $points } очко
        [few] { $points } очка
       *[other] { $points } очков
    }
line_each = Строк в ответе: { $count }, а нужно по одной на агента, всего { $agents }.
no_order = Строка { $line } ответа — { $answer }, а нужно PUT x y, MOVE x y, REMOVE x y или NONE.


## Rulesets and options

ruleset-present = Окружение по нынешним правилам
ruleset-2020 = Окружение по правилам 2020 года
option-board = Опубликованное поле
option-agents = Агенты каждого бота
option-turns = Ходы


## Слова просмотра

viewer-walls = Стены
viewer-areas = Области
viewer-wall = стена
viewer-area = область
viewer-agent = агент
