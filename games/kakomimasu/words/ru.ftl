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


## Слова для игрока

input-choose_put = Агент { $agent }: выберите его клетку.
input-choose_cell = Агент { $agent }: ход, снос стены или пауза.
input-choose_remove = Агент { $agent }: какую стену снести?
input-ready = Приказы есть у всех агентов.
input-conflict = У агентов { $agents } одна цель: никто из них её не займёт.
input-blocked = Агент { $agent } идёт на клетку агента, который стоит: её не занять.
input-put = Агент { $agent } ставится на { $cell } (очки: { $points })
input-move = Агент { $agent } идёт на { $cell } (очки: { $points })
input-remove_wall = Агент { $agent } сносит стену на { $cell } (очки: { $points })
input-none = Агент { $agent } стоит
input-agent_number = Агент { $agent }
input-shift = Сдвинуть клетку
input-next_agent = Следующий агент
input-removing = Будет снос стены.
input-moving = Будет ход.
input-undone = Отменено.
input-remove = Снос
input-undo = Отменить
input-send = Отправить
input-send_rest = Отправить, стоят: { $count }
input-keys = цифры: агент · пробел: следующий · стрелки, цифровой блок или QWE ASD ZXC: клетка · R: снос · Enter: отправить
