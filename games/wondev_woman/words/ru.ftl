title = Wondev Woman
lead = { $bot } выходит вперёд: { points }.
push =
    { $times ->
        [1] { $bot } выталкивает юнита { $other }.
        [one] { $bot } выталкивает юнитов { $other } { $times } раз подряд.
        [few] { $bot } выталкивает юнитов { $other } { $times } раза подряд.
       *[other] { $bot } выталкивает юнитов { $other } { $times } раз подряд.
    }
blocked =
    { $times ->
        [1] { $bot } натыкается на невидимого юнита: ничего не построено.
        [one] { $bot } натыкается на невидимых юнитов { $times } раз подряд: ничего не построено.
        [few] { $bot } натыкается на невидимых юнитов { $times } раза подряд: ничего не построено.
       *[other] { $bot } натыкается на невидимых юнитов { $times } раз подряд: ничего не построено.
    }
point =
    { $times ->
        [1] { $bot } на вершине: { points }.
        [one] { $bot } на вершине { $times } раз подряд: { points }.
        [few] { $bot } на вершине { $times } раза подряд: { points }.
       *[other] { $bot } на вершине { $times } раз подряд: { points }.
    }
top = он на вершине
accepts_defeat = поражение признано
cannot_act = не осталось допустимых действий
last_chance = У { $bot } осталось единственное допустимое действие.
points =
    { $points ->
        [one] { $points } очко
        [few] { $points } очка
       *[other] { $points } очков
    }
no_action = Ответ { $answer }, а нужно действие вроде MOVE&BUILD 0 N SW.
no_unit = Юнита { $unit } нет: нумерация с 0.
illegal_action = { $action } — недопустимое действие. { $why }

InvalidCommand = В этой лиге нет PUSH&BUILD.
BadCoords = Клетки, на которую ведёт шаг, не существует.
InvalidMove = Клетка, на которую ведёт шаг, выше больше чем на один уровень.
MoveTooHigh = Высота клетки, на которую ведёт шаг, — 4: она закрыта.
MoveOnUnit = На клетке, на которую ведёт шаг, стоит юнит.
InvalidPlace = Клетки, на которой нужно строить, не существует.
PlaceTooHigh = Высота клетки, на которой нужно строить, — 4: она закрыта.
PlaceOnUnit = На клетке, на которой нужно строить, стоит юнит.
PushInvalid = Толкать можно прямо или в соседнее направление — на незакрытую клетку, которая выше не больше чем на один уровень.
PushVoid = Там некого толкать.
FriendlyFire = Своего юнита толкать нельзя.
PushOnUnit = На клетке, куда толкают, уже стоит юнит.


## Rulesets and options

ruleset-league3 = Лига 3: туман
ruleset-league2 = Лига 2: по два юнита и толчки
ruleset-league1 = Лига 1: по одному юниту, на очки
ruleset-league0 = Лига 0: по одному юниту, побеждает первый на вершине
option-map = Карта
option-symmetric = Зеркальные старты
option-java_seed = Зерно генератора соревнования


## Слова просмотра

viewer-legal_actions = Допустимых действий
viewer-height = высота
viewer-closed = закрыта
viewer-no_cell = нет клетки
viewer-unit = юнит
viewer-hidden = скрыт


## Слова для игрока

input-choose_unit = Ваш ход: выберите юнит.
input-choose_move = Куда пойдёт { $unit }?
input-choose_move_or_push = { $unit }: ход или толчок?
input-choose_build = Идёт на { $cell }. Где построить?
input-choose_push = В какую сторону толкнуть?
input-no_action_left = Ходов больше нет.
input-accept_defeat = Признать поражение
input-unit_number = Юнит { $unit }
input-undo = Отменить
input-keys = 1, 2: юнит · стрелки, цифровой блок или QWE A D ZXC: соседняя клетка · Backspace: отмена
