title = Attack 25
chance = Шанс атаки: кто возьмёт эту панель, тот и освободит одну.
capture = { $bot } переворачивает { panels }.
capture_most = { $bot } переворачивает { panels } — больше, чем когда-либо в этом матче.
panels =
    { $panels ->
        [one] { $panels } панель
        [few] { $panels } панели
       *[other] { $panels } панелей
    }
erased = { $bot } освобождает панель { $number }, бывшую у { $owner }.
erased_own = { $bot } освобождает панель { $number }, только что взятую.
lead = { $bot } выходит вперёд: { panels }.
more-points = { $points ->
        [one] { $points } панель
        [few] { $points } панели
       *[other] { $points } панелей
    } против { $other } у { $second }
equal-points = панелей поровну, { $points }
wiped = { $bot } теряет последнюю панель.
broke = У { $bot } кончились фишки.
invalid_bid = Ответ { $bot } недопустим и считается ставкой 0 (нарушение { $number } из { $most }).
invalid_pick = Ответ { $bot } недопустим, за него выбирают правила (нарушение { $number } из { $most }).


## Rulesets and options

ruleset-bid = Аукцион: выбирает тот, кто предложил больше
ruleset-order = По очереди: порядок определяет жребий


## Слова просмотра

viewer-chips = Фишки
viewer-bid = Ставка
viewer-panel = панель
viewer-neutral = нейтральная
viewer-choice = может взять


## Слова для игрока

input-choose_bid = Раунд { $round }: ставка? Фишек: { $chips }.
input-choose_bid_chance = Attack Chance: ставка? Фишек: { $chips }.
input-choose_centre = Возьмите панель в центре.
input-choose_flips = Возьмите панель: она перевернёт чужие.
input-choose_prepares = Возьмите панель: она готовит переворот.
input-choose_touches = Возьмите панель рядом с занятой.
input-choose_chance = Attack Chance: сначала возьмите подсвеченную панель.
input-choose_empty = Вы берёте { $number }. Какая панель опустеет?
input-turns = { $number } (перевернёт: { $count })
input-ties = При равенстве побеждает первый из: { $order }
input-bag = Цвета, что ещё в мешке: { $order }
input-your_bid = Ставка в фишках
input-bid_chips = Ставка: { $chips }
input-undo = Отменить
input-keys = цифры: ставка · стрелки: менять её или ходить по полю · Enter: отправить · Backspace: отмена
